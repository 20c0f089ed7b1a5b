// Performs one flow through a server of MCP and counts the bytes that come back: what a model has to read.
//
//     node race.mjs NAME ORIGIN CHROMIUM [ACTIONS MAP]
//
// It prints one line of JSON. See ../README.md.

import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync } from 'node:fs';
import { createRequire } from 'node:module';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { arch, platform, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const [, , name, origin, chromium, actions, map] = process.argv;
const require = createRequire(import.meta.url);
const PATIENCE = 120_000;

/** A session with a server on standard input and output, with the bytes of each answer. */
class Peer {
  constructor(command, args, env) {
    // Some servers leave files where they run.
    const cwd = mkdtempSync(join(tmpdir(), 'mcp-bench-'));
    this.child = spawn(command, args, { cwd, stdio: ['pipe', 'pipe', 'ignore'], env: { ...process.env, ...env } });
    this.last = 0;
    this.waiting = new Map();
    createInterface({ input: this.child.stdout }).on('line', (line) => {
      let message;
      try {
        message = JSON.parse(line);
      } catch {
        return;
      }
      this.waiting.get(message.id)?.({ message, bytes: Buffer.byteLength(line) });
    });
  }

  send(message) {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  async request(method, params) {
    const id = ++this.last;
    const answer = new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${method} was not answered`)), PATIENCE);
      this.waiting.set(id, (answer) => { clearTimeout(timer); resolve(answer); });
    });
    this.send({ id, method, params });
    const { message, bytes } = await answer;
    if (message.error) throw new Error(`${method}: ${JSON.stringify(message.error)}`);
    return { result: message.result, bytes };
  }

  async begin() {
    await this.request('initialize', {
      protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' },
    });
    this.send({ method: 'notifications/initialized' });
  }

  async call(tool, args) {
    const { result, bytes } = await this.request('tools/call', { name: tool, arguments: args });
    const text = (result.content ?? []).map((part) => part.text ?? '').join('\n');
    if (result.isError) throw new Error(`${tool}: ${text}`);
    return { text, bytes, value: result.structuredContent };
  }
}

/** The first reference that a snapshot gives for a line. */
const reference = (text, line, pattern) => {
  const found = text.split('\n').find((one) => line.test(one));
  const match = found?.match(pattern);
  if (!match) throw new Error(`no reference for ${line} in\n${text.slice(0, 2_000)}`);
  return match[1];
};
const expect = (text, words) => {
  if (!words.test(text)) throw new Error(`${words} is not in\n${text.slice(0, 2_000)}`);
};

const SEARCH = /(textbox|searchbox).*Search/;
const SUBMIT = /button.*"?Search/;
const ADD = /button.*"?Add/;
const TOTAL = /1 prints, 10 in total/;

/** The flow and the large page, as an agent goes about them with each server. */
const peers = {
  ours: {
    start: () => new Peer(actions, ['mcp', map, '--tools', 'all', '--yes', '--browser', chromium]),
    async flow(peer) {
      const found = await peer.call('prints_search', { query: 'map' });
      const added = await peer.call('basket_add', { id: found.value.results[0].id });
      const basket = await peer.call('basket_read', {});
      if (basket.value.copies !== 1 || basket.value.total !== 10) throw new Error(basket.text);
      return found.bytes + added.bytes + basket.bytes;
    },
    async page(peer) {
      const opened = await peer.call('register_open', {});
      const known = await peer.call('actions_site', { mode: 'state_summary', projection: 'site.register' });
      if (known.value.summary.count !== 2_000) throw new Error(known.text);
      return opened.bytes + known.bytes;
    },
  },
  'playwright-mcp': {
    start: () => new Peer('node', [
      join(dirname(require.resolve('@playwright/mcp/package.json')), 'cli.js'),
      '--headless', '--isolated', '--no-sandbox', '--executable-path', chromium,
    ]),
    async flow(peer) {
      const ref = /\[ref=([^\]]+)\]/;
      // The answer to an action names a file with the snapshot; a client asks for the text.
      const shown = (answer) => (ref.test(answer.text) ? answer : peer.call('browser_snapshot', {}));
      const opened = await peer.call('browser_navigate', { url: `${origin}/` });
      const first = await shown(opened);
      const field = reference(first.text, SEARCH, ref);
      const typed = await peer.call('browser_type', { element: 'search', target: field, text: 'map', submit: true });
      const seen = await shown(typed);
      const added = await peer.call('browser_click', { element: 'add', target: reference(seen.text, ADD, ref) });
      const last = await shown(added);
      expect(last.text, TOTAL);
      return [...new Set([opened, first, typed, seen, added, last])].reduce((sum, one) => sum + one.bytes, 0);
    },
    async page(peer) {
      const opened = await peer.call('browser_navigate', { url: `${origin}/rows.html` });
      const seen = /Print number 2000/.test(opened.text) ? opened : await peer.call('browser_snapshot', {});
      expect(seen.text, /Print number 2000/);
      return seen === opened ? opened.bytes : opened.bytes + seen.bytes;
    },
  },
  'chrome-devtools-mcp': {
    start: () => new Peer('node', [
      join(dirname(require.resolve('chrome-devtools-mcp/package.json')), 'build/src/bin/chrome-devtools-mcp.js'),
      '--headless', '--isolated', '--executablePath', chromium, '--chromeArg=--no-sandbox', '--no-usage-statistics',
    ]),
    async flow(peer) {
      const uid = /uid=(\S+)/;
      const pages = await peer.call('list_pages', {});
      peer.page = Number(pages.text.match(/^(\d+):/m)[1]);
      const on = (args) => ({ ...args, pageId: peer.page });
      const opened = await peer.call('navigate_page', on({ type: 'url', url: `${origin}/` }));
      const first = await peer.call('take_snapshot', on({}));
      const typed = await peer.call('fill', on({ uid: reference(first.text, SEARCH, uid), value: 'map' }));
      const sent = await peer.call('click', on({ uid: reference(first.text, SUBMIT, uid) }));
      const seen = await peer.call('take_snapshot', on({}));
      const added = await peer.call('click', on({ uid: reference(seen.text, ADD, uid) }));
      const last = await peer.call('take_snapshot', on({}));
      expect(last.text, TOTAL);
      return [pages, opened, first, typed, sent, seen, added, last].reduce((sum, one) => sum + one.bytes, 0);
    },
    async page(peer) {
      const on = (args) => ({ ...args, pageId: peer.page });
      const opened = await peer.call('navigate_page', on({ type: 'url', url: `${origin}/rows.html` }));
      const seen = await peer.call('take_snapshot', on({}));
      expect(seen.text, /Print number 2000/);
      return opened.bytes + seen.bytes;
    },
  },
  'agent-browser': {
    start: () => {
      const binary = join(
        dirname(require.resolve('agent-browser/package.json')), 'bin', `agent-browser-${platform()}-${arch()}`,
      );
      chmodSync(binary, 0o755);
      const env = {
        AGENT_BROWSER_EXECUTABLE_PATH: chromium, AGENT_BROWSER_SESSION: `bench-${process.pid}`,
        AGENT_BROWSER_ARGS: '--no-sandbox', AGENT_BROWSER_IDLE_TIMEOUT_MS: '20000',
      };
      return new Peer(binary, ['mcp'], env);
    },
    async flow(peer) {
      const ref = /\[?ref=(e\d+)/;
      const tool = (short) => `agent_browser_${short}`;
      const opened = await peer.call(tool('open'), { url: `${origin}/` });
      const first = await peer.call(tool('snapshot'), { interactive: true });
      const typed = await peer.call(tool('fill'), { selector: `@${reference(first.text, SEARCH, ref)}`, text: 'map' });
      const sent = await peer.call(tool('click'), { selector: `@${reference(first.text, SUBMIT, ref)}` });
      const seen = await peer.call(tool('snapshot'), { interactive: true });
      const added = await peer.call(tool('click'), { selector: `@${reference(seen.text, ADD, ref)}` });
      const last = await peer.call(tool('get_text'), { selector: '#basket' });
      expect(last.text, TOTAL);
      return [opened, first, typed, sent, seen, added, last].reduce((sum, one) => sum + one.bytes, 0);
    },
    async page(peer) {
      const opened = await peer.call('agent_browser_open', { url: `${origin}/rows.html` });
      const seen = await peer.call('agent_browser_snapshot', { interactive: false, full: true });
      expect(seen.text, /Print number 2000/);
      return opened.bytes + seen.bytes;
    },
    async end(peer) {
      await peer.call('agent_browser_close', {}).catch(() => {});
    },
  },
};

const side = peers[name];
const peer = side.start();
try {
  await peer.begin();
  const list = await peer.request('tools/list', {});
  if (process.env.SHOW_TOOLS) {
    console.error(JSON.stringify(list.result.tools.map((one) => [one.name, one.inputSchema.properties]), null, 1));
  }
  // The first round includes the launch of the browser; the second is what a flow takes then.
  const begun = performance.now();
  await side.flow(peer);
  const launched = performance.now();
  let flow = 0;
  if (name === 'ours') {
    const opened = await peer.call('actions_page', { mode: 'open', new_session: true });
    const page = opened.value.page;
    const call = peer.call.bind(peer);
    peer.call = (tool, args) => call(tool, { ...args, _page: page });
  }
  const again = performance.now();
  flow = await side.flow(peer);
  const ended = performance.now();
  const page = await side.page(peer);
  const known = performance.now();
  console.log(JSON.stringify({
    tools: list.result.tools.length, list_bytes: list.bytes, flow_bytes: flow, page_bytes: page,
    first_ms: launched - begun, flow_ms: ended - again, page_ms: known - ended,
  }));
} finally {
  await side.end?.(peer);
  peer.child.stdin.end();
  setTimeout(() => peer.child.kill(), 3_000).unref();
}
