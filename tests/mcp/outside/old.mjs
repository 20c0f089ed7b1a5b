// The TypeScript SDK with `actions mcp`: list, call, progress, cancel, read, subscribe, confirm, error.
//
//     ACTIONS=PROGRAM node old.mjs MAP

import assert from 'node:assert';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  ElicitRequestSchema, ResourceUpdatedNotificationSchema, ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';

const right = (what) => console.log(`ok ${what}`);
const client = new Client({ name: 'outside', version: '1' }, { capabilities: { elicitation: {} } });
let asked = null;
client.setRequestHandler(ElicitRequestSchema, async (request) => {
  asked = request.params.message;
  return { action: 'accept', content: { confirm: true } };
});
const updates = [];
let wake = () => {};
client.setNotificationHandler(ResourceUpdatedNotificationSchema, (update) => { updates.push(update.params.uri); wake(); });
let lists = 0;
client.setNotificationHandler(ToolListChangedNotificationSchema, () => { lists += 1; wake(); });
const until = async (holds) => {
  const end = Date.now() + 30_000;
  while (!holds() && Date.now() < end) {
    await new Promise((resolve) => { wake = resolve; setTimeout(resolve, 200); });
  }
  assert(holds(), 'it did not come');
};

await client.connect(new StdioClientTransport({
  command: process.env.ACTIONS, args: ['mcp', process.argv[2], '--allow-primitives'],
}));
const { tools } = await client.listTools();
assert(tools.some((tool) => tool.name === 'prints_search'));
right('list');

const steps = [];
const found = await client.callTool({ name: 'prints_search', arguments: { query: 'map' } }, undefined, {
  onprogress: (step) => steps.push(step.progress),
});
assert.equal(found.structuredContent.total, 20);
right('call');
assert(steps.length >= 3 && steps.every((step, at) => at === 0 || step > steps[at - 1]), steps.join());
right('progress');

const error = await client.callTool({ name: 'prints_search', arguments: { query: 7 } });
assert.equal(error.isError, true);
assert.equal(error.structuredContent.error.code, 'invalid_input');
right('error');
await assert.rejects(client.callTool({ name: 'none', arguments: {} }), /-32602/);
right('unknown tool');

const read = await client.readResource({ uri: 'actions://state/site.basket' });
assert.equal(JSON.parse(read.contents[0].text).state.copies, 0);
right('read');
await client.subscribeResource({ uri: 'actions://state/site.basket' });
await new Promise((resolve) => setTimeout(resolve, 1_500));
const added = await client.callTool({ name: 'basket_add', arguments: { id: 'print-1' } });
assert.equal(added.structuredContent.copies, 1, JSON.stringify(added));
assert.match(asked, /basket\.add/);
right('confirm');
await until(() => updates.includes('actions://state/site.basket'));
right('subscribe');

const stop = new AbortController();
const waiting = client.callTool({
  name: 'actions_primitive',
  arguments: { name: 'locator.wait_for', arguments: { locator: { selector: '#never' }, timeout_ms: 60_000 } },
}, undefined, { signal: stop.signal });
setTimeout(() => stop.abort('enough'), 500);
await assert.rejects(waiting);
assert.equal((await client.callTool({ name: 'basket_read', arguments: {} })).structuredContent.copies, 1);
right('cancel');

await client.callTool({ name: 'register_open', arguments: {} });
await until(() => lists > 0);
assert((await client.listTools()).tools.some((tool) => tool.name === 'register_row'));
right('list changed');
await client.close();
