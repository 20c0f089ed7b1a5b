// A warm command of ours beside a warm command of agent-browser, on the same page, in turns; and the memory of a session.
//   node race.mjs ACTIONS BROWSER RESULT ROUNDS
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { arch, loadavg, platform, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const [, , actions, browser, result, rounds] = process.argv;
const here = dirname(new URL(import.meta.url).pathname);
const require = createRequire(join(here, '../hostile/package.json'));
const peer = join(dirname(require.resolve('agent-browser/package.json')), 'bin', `agent-browser-${platform()}-${arch()}`);
const scratch = mkdtempSync(join(tmpdir(), 'session-bench-'));

const page = readFileSync(join(here, 'page.html'));
const server = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end(page));
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const origin = `http://127.0.0.1:${server.address().port}`;

/** What the page says of an item; theirs reads each by a command of its own. */
const FACTS = ['number', 'title', 'place', 'year'];

const step = (id, primitive, args) => ({ id, primitive, args });
const map = {
  protocol: 'actions.json',
  version: 1,
  surface: { origin, name: 'Bench' },
  tools: [
    {
      name: 'word.say',
      description: 'Says a word.',
      input_schema: { type: 'object', required: ['word'], properties: { word: { type: 'string' } } },
      workflow: {
        version: 1,
        expression_language: 'jsonata',
        steps: [
          step('type', 'text.insert', { target: { selector: '#word' }, text: '{% input.word %}', mode: 'replace' }),
          step('say', 'pointer.click', { locator: { selector: '#say' } }),
          step('read', 'locator.text_content', { locator: { selector: '#said' } }),
        ],
        output: '{% steps.read.output.text %}',
      },
    },
    {
      name: 'item.next',
      description: 'Opens the next item and reads its facts.',
      input_schema: { type: 'object' },
      workflow: {
        version: 1,
        expression_language: 'jsonata',
        steps: [
          step('next', 'pointer.click', { locator: { selector: '#next' } }),
          ...FACTS.map((fact) => step(fact, 'locator.text_content', { locator: { selector: `#${fact}` } })),
        ],
        output: `{% $join([${FACTS.map((fact) => `steps.${fact}.output.text`).join(', ')}], ', ') %}`,
      },
    },
  ],
};
writeFileSync(join(scratch, 'actions.json'), JSON.stringify(map));

const ours = (...args) => run(actions, args, { XDG_RUNTIME_DIR: scratch, ACTIONS_BROWSER: browser });
const theirs = (...args) =>
  run(peer, [...args, '--json'], {
    AGENT_BROWSER_SESSION: `bench-${process.pid}`,
    AGENT_BROWSER_EXECUTABLE_PATH: browser,
    ...(process.getuid?.() === 0 ? { AGENT_BROWSER_ARGS: '--no-sandbox' } : {}),
  });

/** Runs a command, and returns what it printed and how long it took, from its start to its end. */
function run(program, args, env) {
  return new Promise((done, failed) => {
    const begun = performance.now();
    const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    let [text, complaint] = ['', ''];
    child.stdout.on('data', (data) => (text += data));
    child.stderr.on('data', (data) => (complaint += data));
    child.on('error', failed);
    child.on('exit', (code) => {
      const ms = performance.now() - begun;
      code === 0 ? done({ ms, text }) : failed(new Error(`${program} ${args.join(' ')}: ${complaint}${text}`));
    });
  });
}

/** The commands of each side for the same work; each returns what it printed. */
const tasks = {
  'read a text': {
    actions: () => [['primitives', 'locator.text_content', '--session', 'bench', '--args', '{"locator":{"selector":"#said"}}']],
    'agent-browser': () => [['get', 'text', '#said']],
  },
  'click, read four facts': {
    actions: () => [['run', '--session', 'bench', 'item.next', '-q']],
    'agent-browser': () => [['click', '#next'], ...FACTS.map((fact) => ['get', 'text', `#${fact}`])],
  },
  'fill, click, read': {
    actions: (word) => [['run', '--session', 'bench', 'word.say', '--arg', `word=${word}`, '-q']],
    'agent-browser': (word) => [['fill', '#word', word], ['click', '#say'], ['get', 'text', '#said']],
    // Ours waits for two animation frames, 25 ms on average, before it says that the field holds the text.
    waitsForFrames: true,
  },
};
const sides = { actions: ours, 'agent-browser': theirs };
const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
const rounded = (number) => Math.round(number * 10) / 10;

await ours('session', 'start', 'bench', join(scratch, 'actions.json'), '-q');
await theirs('open', origin);
const load = [loadavg()[0]];
const times = {};
try {
  for (let round = -3; round < Number(rounds); round += 1) {
    for (const [task, { waitsForFrames: _, ...bySide }] of Object.entries(tasks)) {
      const order = Object.keys(sides);
      for (const side of round % 2 ? order : order.toReversed()) {
        let [ms, text] = [0, ''];
        for (const command of bySide[side](`word${round}`)) {
          const ran = await sides[side](...command);
          ms += ran.ms;
          text = ran.text;
        }
        if (task === 'fill, click, read' && !text.includes(`Said: word${round}`)) throw new Error(`${side}: ${text}`);
        if (round >= 0) ((times[task] ??= {})[side] ??= []).push(ms);
      }
    }
  }
  load.push(loadavg()[0]);
  const memory = await memoryOfSessions();
  const medians = Object.fromEntries(
    Object.entries(times).map(([task, bySide]) => [
      task,
      Object.fromEntries(Object.entries(bySide).map(([side, list]) => [side, rounded(median(list))])),
    ]),
  );
  const judged = Object.entries(medians).filter(([task]) => !tasks[task].waitsForFrames);
  const met = judged.every(([, bySide]) => bySide.actions <= bySide['agent-browser']);
  const found = { rounds: Number(rounds), load: load.map(rounded), medians_ms: medians, memory_mib: memory, goal: { met } };
  writeFileSync(result, `${JSON.stringify(found, null, 2)}\n`);
  console.log(`\n| task, warm | actions | agent-browser |\n| --- | ---: | ---: |`);
  for (const [task, bySide] of Object.entries(medians)) {
    console.log(`| ${task} | ${bySide.actions} | ${bySide['agent-browser']} |`);
  }
  console.log(`\nmedians of ${rounds} rounds in milliseconds, load ${load.map(rounded).join(' to ')}; goal ${met ? 'met' : 'missed'}`);
  console.log(`memory in MiB: ${JSON.stringify(memory)}`);
} finally {
  await ours('session', 'stop', '--all', '-q').catch(console.error);
  await theirs('close').catch(console.error);
  server.close();
  rmSync(scratch, { recursive: true, force: true });
}

/** What an idle session takes: its own process, its browser, and what each further page adds. */
async function memoryOfSessions() {
  await ours('session', 'start', 'idle', join(scratch, 'actions.json'), '-q');
  const listed = JSON.parse((await ours('session', 'list', '--format', 'json')).text);
  const { pid } = listed.find(({ name }) => name === 'idle');
  const wait = () => new Promise((done) => setTimeout(done, 2_000));
  await wait();
  const [own, all] = [proportional([pid]), proportional(tree(pid))];
  const pages = 4;
  for (let page = 0; page < pages; page += 1) {
    await ours('primitives', 'browser.open_tab', '--session', 'idle', '--args', JSON.stringify({ url: origin }));
  }
  await wait();
  const more = proportional(tree(pid));
  return { session_process: rounded(own), session_with_browser: rounded(all), each_further_page: rounded((more - all) / pages) };
}

/** The proportional set size of processes, in MiB. */
function proportional(pids) {
  const size = (pid) => {
    try {
      return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
    } catch {
      return 0;
    }
  };
  return pids.reduce((sum, pid) => sum + size(pid), 0) / 1024;
}

/** A process and all below it. */
function tree(pid) {
  const below = [];
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const children = readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8');
      below.push(...children.split(' ').filter(Boolean).flatMap((child) => tree(Number(child))));
    }
  } catch {
    // The process has ended.
  }
  return [pid, ...below];
}
