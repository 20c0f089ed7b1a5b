// The TypeScript client of 2026-07-28 with `actions mcp`: list, call, progress, cancel, read, subscribe, confirm, error.
//
//     ACTIONS=PROGRAM node new.mjs MAP

import assert from 'node:assert';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const right = (what) => console.log(`ok ${what}`);
const client = new Client(
  { name: 'outside', version: '1' },
  { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: { pin: '2026-07-28' } } },
);
let asked = null;
client.setRequestHandler('elicitation/create', async (request) => {
  asked = request.params.message;
  return { action: 'accept', content: { confirm: true } };
});
const updates = [];
client.setNotificationHandler('notifications/resources/updated', (update) => { updates.push(update.params.uri); });

await client.connect(new StdioClientTransport({
  command: process.env.ACTIONS, args: ['mcp', process.argv[2], '--allow-primitives'],
}));
const { tools } = await client.listTools();
assert(['prints_search', 'register_row'].every((name) => tools.some((tool) => tool.name === name)));
right('list');

const steps = [];
const found = await client.callTool({ name: 'prints_search', arguments: { query: 'map' } }, {
  onprogress: (step) => steps.push(step.progress),
});
assert.equal(found.structuredContent.total, 20);
right('call');
assert(steps.length >= 3 && steps.every((step, at) => at === 0 || step > steps[at - 1]), steps.join());
right('progress');

const error = await client.callTool({ name: 'prints_search', arguments: { query: 7 } });
assert.equal(error.structuredContent.error.code, 'invalid_input');
right('error');

const uri = 'actions://state/site.basket';
const read = await client.readResource({ uri });
assert.equal(JSON.parse(read.contents[0].text).state.copies, 0);
right('read');
const subscription = await client.listen({ resourceSubscriptions: [uri] });
await new Promise((resolve) => setTimeout(resolve, 1_500));
const added = await client.callTool({ name: 'basket_add', arguments: { id: 'print-1' } });
assert.equal(added.structuredContent.copies, 1, JSON.stringify(added));
assert.match(asked, /basket\.add/);
right('confirm');
const end = Date.now() + 30_000;
while (!updates.includes(uri) && Date.now() < end) {
  await new Promise((resolve) => setTimeout(resolve, 100));
}
assert(updates.includes(uri));
right('subscribe');
await subscription.close();

const stop = new AbortController();
const waiting = client.callTool({
  name: 'actions_primitive',
  arguments: { name: 'locator.wait_for', arguments: { locator: { selector: '#never' }, timeout_ms: 60_000 } },
}, { signal: stop.signal });
setTimeout(() => stop.abort('enough'), 500);
await assert.rejects(waiting);
assert.equal((await client.callTool({ name: 'basket_read', arguments: {} })).structuredContent.copies, 1);
right('cancel');
await client.close();
