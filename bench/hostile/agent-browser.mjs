// Runs a case of the hostile-page corpus with the agent-browser command line, as its user would.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { join, dirname } from 'node:path';

const require = createRequire(import.meta.url);
const manifest = require.resolve('agent-browser/package.json');
const { version } = require('agent-browser/package.json');
const binary = join(dirname(manifest), 'bin', `agent-browser-${platform()}-${arch()}`);

export const name = 'agent-browser';

let sessions = 0;

/** Runs each case in its own session, with a daemon and a browser that are closed afterwards. */
export async function start(executablePath) {
  const children = new Set();
  return {
    version,
    async open(url, deadline, one) {
      const session = `hostile-${process.pid}-${++sessions}`;
      const run = (...args) => command(children, executablePath, session, deadline, args);
      await run('set', 'viewport', '1280', '720');
      const opened = await run('open', url);
      // A dialog keeps `open` from finishing, but the page is open; the next command reports the dialog.
      if (!opened.success && !opened.warning) throw new Error(opened.error);
      return {
        perform: (step) => perform(run, one, step),
        close: () => run('close'),
      };
    },
    /** Abandons commands that do not return; their daemon exits when it is idle. */
    kill: async () => children.forEach((child) => child.kill('SIGKILL')),
    close: async () => {},
  };
}

async function perform(run, one, { primitive, args }) {
  const action = actions[primitive];
  if (!action) return { kind: 'impossible' };
  const answer = await action(run, args, one);
  if (!answer) return { kind: 'impossible' };
  const { success, data, error = 'failed without a message', warning = '' } = answer;
  if (success) return { kind: 'success', output: data, words: JSON.stringify(answer) };
  return { kind: 'refusal', message: `${error} ${warning}` };
}

/** Runs `commands` in turn until one fails, and returns the last answer. */
async function inTurn(run, commands) {
  let answer;
  for (const args of commands) {
    answer = await run(...args);
    if (!answer.success) return answer;
  }
  return answer;
}

/**
 * Runs a command on an element: by CSS selector in its frame or, if that finds nothing, by the reference of the element with this role and
 * name in a snapshot of the page, as the tool's own guide advises.
 */
async function on(run, locator, one, ...verb) {
  const [command, ...rest] = verb;
  const { selector, frame = [], nth, text_equals } = locator;
  if (text_equals !== undefined) return { success: false, error: 'a selector and a text cannot be combined' };
  const frames = [frame].flat().map((css) => ['frame', css]);
  const target = nth === undefined ? [...command.split(' '), selector, ...rest] : ['find', 'nth', String(nth), selector, command, ...rest];
  const answer = await inTurn(run, [...frames, target]);
  if (frames.length > 0) await run('frame', 'main');
  if (answer.success || !one.called || !/not found|could not find/i.test(answer.error)) return answer;
  const { data } = await run('snapshot', '-i');
  const [reference] = Object.entries(data?.refs ?? {}).find(([, { role, name }]) => role === one.called.role && name === one.called.name) ?? [];
  return reference ? run(...command.split(' '), `@${reference}`, ...rest) : answer;
}

async function click(run, locator, one) {
  const { selector, role, name, text_equals, text_contains, text } = locator;
  if (selector !== undefined) return on(run, locator, one, 'click');
  if (role !== undefined) return run('find', 'role', role, 'click', '--name', name, '--exact');
  return run('find', 'text', text_equals ?? text_contains ?? text, 'click', ...(text_equals === undefined ? [] : ['--exact']));
}

/** Clicks with another mouse button, which the tool supports only at a point. */
async function clickAtCentre(run, { selector }, button) {
  await run('scrollintoview', selector);
  const { success, data, error } = await run('get', 'box', selector);
  if (!success) return { success, error };
  const [x, y] = [data.x + data.width / 2, data.y + data.height / 2].map((number) => String(Math.round(number)));
  return inTurn(run, [['mouse', 'move', x, y], ['mouse', 'down', button], ['mouse', 'up', button]]);
}

const plain = (answer, output) => (answer.success ? { success: true, data: output } : answer);
const tidy = (text) => text?.replaceAll(/\s+/g, ' ').trim();

const actions = {
  'pointer.click': (run, args, one) => {
    if (!args.locator) return inTurn(run, [['mouse', 'move', String(args.x), String(args.y)], ['mouse', 'down'], ['mouse', 'up']]);
    if (args.modifiers) return null;
    return args.button ? clickAtCentre(run, args.locator, args.button) : click(run, args.locator, one);
  },
  'pointer.double_click': (run, { locator }, one) => on(run, locator, one, 'dblclick'),
  'pointer.move': (run, { locator }, one) => on(run, locator, one, 'hover'),
  'pointer.drag': (run, { from, to, points }) => (points ? null : run('drag', from.selector, to.selector)),
  'text.insert': (run, { target, text }, one) => on(run, target, one, 'fill', text),
  'text.type': (run, { target, text }, one) => (target ? on(run, target, one, 'type', text) : run('keyboard', 'type', text)),
  'keyboard.press': (run, { key, repeat = 1 }) => inTurn(run, Array.from({ length: repeat }, () => ['press', key])),
  'dom.focus': (run, { locator }, one) => on(run, locator, one, 'focus'),
  'viewport.scroll': (run, { locator, delta_y = 0 }, one) => (locator ? on(run, locator, one, 'scrollintoview') : run('scroll', delta_y < 0 ? 'up' : 'down', String(Math.abs(delta_y)))).then((answer) => plain(answer)),
  'form.select_option': (run, { locator, value, values, label }, one) => {
    if (values?.length === 0) return null;
    return on(run, locator, one, 'select', ...(values ?? [value ?? label]));
  },
  'form.set_checked': (run, { locator, checked }, one) => on(run, locator, one, checked ? 'check' : 'uncheck'),
  'locator.wait_for': (run, { locator, state, timeout_ms }, one) => {
    const timeout = ['--timeout', String(timeout_ms)];
    if (locator.text_equals !== undefined) return run('wait', '--text', locator.text_equals, ...timeout);
    if (state === 'visible') return on(run, locator, one, 'wait', ...timeout);
    // The tool parses `--state` as a global option, so wait for absence with an expression.
    const element = `document.querySelector(${JSON.stringify(locator.selector)})`;
    return run('wait', '--fn', state === 'hidden' ? `!${element}?.checkVisibility()` : `!${element}`, ...timeout);
  },
  'locator.text_content': (run, { locator }, one) => on(run, locator, one, 'get text').then((answer) => plain(answer, { text: tidy(answer.data?.text) })),
  'locator.value': (run, { locator }, one) => on(run, locator, one, 'get value').then((answer) => plain(answer, { value: answer.data?.value })),
  'browser.navigate': (run, { url }) => run('open', url),
  'browser.back': (run) => run('back'),
  'browser.dismiss_dialog': (run, { accept }) => run('dialog', accept ? 'accept' : 'dismiss'),
};

/** Runs one command and parses its JSON output. */
function command(children, executablePath, session, deadline, args) {
  const env = {
    ...process.env,
    AGENT_BROWSER_EXECUTABLE_PATH: executablePath,
    AGENT_BROWSER_ARGS: '--no-sandbox',
    AGENT_BROWSER_SESSION: session,
    AGENT_BROWSER_DEFAULT_TIMEOUT: String(deadline),
    AGENT_BROWSER_IDLE_TIMEOUT_MS: '60000',
  };
  return new Promise((resolve, reject) => {
    const child = spawn(binary, [...args, '--json'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    children.add(child);
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (text) => { out += text; });
    child.stderr.setEncoding('utf8').on('data', (text) => { err += text; });
    child.on('error', reject);
    child.on('close', (code) => {
      children.delete(child);
      const line = out.trim().split('\n').findLast((text) => text.startsWith('{'));
      if (!line) return resolve({ success: code === 0, data: out, error: err || out || `exit ${code}` });
      try {
        resolve(JSON.parse(line));
      } catch {
        resolve({ success: code === 0, data: out, error: err || out });
      }
    });
  });
}
