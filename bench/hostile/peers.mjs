// Runs every case of the hostile-page corpus with every peer tool, and prints and stores the results.
//
//     node peers.mjs [--browser PATH] [--peer NAME] [--no-store] [WORD …]
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import * as playwright from './playwright.mjs';
import * as agentBrowser from './agent-browser.mjs';
import { readCases } from './corpus.mjs';
import { serve } from './serve.mjs';
import { judge } from './truth.mjs';
import { render } from './table.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { browser: { type: 'string' }, peer: { type: 'string', multiple: true }, 'no-store': { type: 'boolean' }, verbose: { type: 'boolean', short: 'v' } },
});
const grace = 1000;
const opening = 40_000;
const browsers = ['/usr/lib/chromium/chromium-headless-shell', '/usr/lib/chromium/chromium', '/usr/bin/chromium', '/usr/bin/google-chrome'];
const browser = values.browser ?? process.env.ACTIONS_BROWSER ?? browsers.find((path) => existsSync(path));
const peers = [playwright, agentBrowser].filter((peer) => !values.peer || values.peer.includes(peer.name));

const cases = await readCases(positionals);
const server = await serve(cases);
const report = { browser: '', peers: {}, cases: {} };
for (const peer of peers) {
  let running = await peer.start(browser);
  report.peers[peer.name] = running.version;
  report.browser ||= running.browserVersion;
  for (const one of cases) {
    server.forget(one.name);
    const result = await runCase(running, one);
    const { verdict } = result;
    report.cases[one.name] ??= { title: one.title, topic: one.topic, expected: one.expect.outcome };
    report.cases[one.name][peer.name] = result;
    console.error(`${peer.name} ${one.name}: ${verdict}${values.verbose ? ` ${JSON.stringify(result)} ${JSON.stringify(server.truth(one.name))}` : ''}`);
    if (result.restart) {
      await running.kill?.();
      running = await peer.start(browser);
    }
    delete result.restart;
  }
  await bounded(running.close(), 10_000);
}
await server.close();

console.log(render(report));
if (!values['no-store'] && !values.peer) await store(report);
process.exit(0);

/** Stores the report beside those of other browsers. A run of selected cases replaces only their rows. */
async function store(report) {
  const folder = new URL('./results/', import.meta.url);
  const file = new URL('peers.json', folder);
  await mkdir(folder, { recursive: true });
  const reports = existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : {};
  const before = positionals.length > 0 ? reports[basename(browser)]?.cases : {};
  const rows = Object.entries({ ...before, ...report.cases }).sort(([a], [b]) => (a < b ? -1 : 1));
  reports[basename(browser)] = { ...report, cases: Object.fromEntries(rows) };
  await writeFile(file, `${JSON.stringify(reports, null, 1)}\n`);
}

async function runCase(peer, one) {
  const session = await bounded(peer.open(server.url(one.name), one.deadline_ms, one), opening);
  if (!session) return { verdict: 'hang', message: 'the page did not open', restart: true };
  const start = Date.now();
  const answer = session.failed ? { kind: 'refusal', message: session.message } : await performAll(session, one);
  const elapsed = values.verbose ? Date.now() - start : undefined;
  const verdict = await judge(one, answer, () => server.truth(one.name));
  const message = answer.message?.trim();
  const named = answer.kind === 'refusal' && one.expect.names ? one.expect.names.every((word) => message.includes(word)) : undefined;
  const reported = answer.kind === 'success' && one.expect.reports ? one.expect.reports.every((word) => answer.words?.includes(word) ?? false) : undefined;
  const closed = session.failed || await bounded(session.close().then(() => true), 5000);
  return { ...verdict, named, reported, message: message && shorten(message), elapsed, restart: !closed || answer.kind === 'hang' ? true : undefined };
}

/** Runs the steps of a case and returns the answer of the first step that fails, or of the last one. */
async function performAll(session, one) {
  let answer;
  for (const step of JSON.parse(server.fill(JSON.stringify(one.perform)))) {
    const limit = Math.max(one.deadline_ms, step.args.timeout_ms ?? 0) + grace;
    answer = (await bounded(session.perform(step), limit)) ?? { kind: 'hang' };
    if (answer.failed) answer = { kind: 'refusal', message: answer.message };
    if (answer.kind !== 'success') break;
  }
  return answer;
}

/** Returns the value of a promise, or undefined after the timeout. */
async function bounded(promise, milliseconds) {
  return Promise.race([promise.catch((error) => ({ failed: true, message: error.message })), sleep(milliseconds, undefined, { ref: false })]);
}

/** Removes the parts of a message that change from run to run. */
function shorten(message) {
  const lines = message.split('\n').map((line) => line.trim()).filter((line) => line && !/^(-\s*)?(\d+ × )?(waiting \d+ms|retrying|scrolling|done scrolling|attempting|Call log)/.test(line));
  const plain = lines.map((line) => line.replaceAll(/http:\/\/[^\s/"']+/g, '').replaceAll(/\d+ ×/g, 'n ×'));
  return [...new Set(plain)].slice(0, 6).join(' · ').slice(0, 400);
}
