// The page for people: a client of the bridge that shows what happens. Everything that pages say is text, never markup.

const $ = (id) => document.getElementById(id);

/** An element with text and children. */
function make(tag, text = '', attributes = {}, ...children) {
  const element = document.createElement(tag);
  if (text) element.textContent = text;
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

// The token stands in the fragment of the address, which no request carries. It moves to this tab's own storage.
const given = new URLSearchParams(location.hash.slice(1)).get('token');
if (given) {
  sessionStorage.setItem('token', given);
  history.replaceState(null, '', location.pathname);
}
const token = sessionStorage.getItem('token') ?? '';
const ask = (path, options = {}) =>
  fetch(path, { ...options, headers: { authorization: `Bearer ${token}`, ...options.headers } });

const MOST = 100;
const pages = new Map();
const calls = new Map();
const waiting = new Map();
let chosen = null;
let socket = null;
let number = 0;

function connect() {
  socket = new WebSocket(`ws://${location.host}/bridge`, ['actions-bridge', `token.${token}`]);
  socket.addEventListener('open', () => ($('connection').textContent = 'connected'));
  socket.addEventListener('message', ({ data }) => take(JSON.parse(data)));
  socket.addEventListener('close', () => {
    $('connection').textContent = token ? 'not connected; trying again' : 'open this page with the address that has its token';
    pages.clear();
    showPages();
    if (token) setTimeout(connect, 1_500);
  });
}

/** Reads the events of all calls, line by line. */
async function follow() {
  for (;;) {
    try {
      const response = await ask('/events');
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = '';
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        const lines = (rest + part.value).split('\n');
        rest = lines.pop();
        for (const line of lines.filter(Boolean)) happen(JSON.parse(line));
      }
    } catch {
      // The bridge is away; it is asked again.
    }
    await new Promise((done) => setTimeout(done, 1_500));
  }
}

/** Takes an item of the bridge. */
function take(item) {
  const id = item.runtime_id;
  switch (item.type) {
    case 'runtime_ready': {
      const before = pages.get(id) ?? { states: [], mark: null };
      pages.set(id, { ...before, url: item.url, title: item.title ?? '' });
      if (!chosen || !pages.has(chosen)) choose(id);
      if (chosen === id) showPage();
      showPages();
      if (!before.url) list(id);
      break;
    }
    case 'runtime_status': {
      const page = pages.get(id);
      if (!page) break;
      Object.assign(page, { states: item.states ?? [], attachments: item.attachments ?? [], url: item.url ?? page.url });
      if (chosen === id) showPage();
      break;
    }
    case 'runtime_removed':
      pages.delete(id);
      if (chosen === id) choose(pages.keys().next().value ?? null);
      showPages();
      break;
    case 'dom_event':
      prepend('signals', make('li', '', {}, make('strong', item.name), make('div', JSON.stringify(item.payload), { class: 'quiet' })));
      break;
    case 'action_call_output':
    case 'action_error':
      if (waiting.has(item.call_id)) {
        waiting.get(item.call_id)(item);
        waiting.delete(item.call_id);
      } else if (!item.call_id && item.error) {
        prepend('signals', make('li', item.error.message, { class: 'bad' }));
      }
      break;
    default:
  }
}

/** Sends a call, and returns its answer. */
function call(runtime_id, name, args) {
  const call_id = `page-${crypto.randomUUID()}`;
  socket.send(JSON.stringify({ type: 'action_call', call_id, runtime_id, name, arguments: args }));
  return new Promise((done) => waiting.set(call_id, done));
}

/** Asks what the maps offer on a page. */
async function list(id) {
  const answer = await call(id, 'actions.site', { mode: 'list' });
  const page = pages.get(id);
  if (!page || !answer.output) return;
  page.tools = answer.output.actions ?? [];
  page.projections = answer.output.state_projections ?? [];
  if (chosen === id) showTools();
}

function choose(id) {
  if (chosen !== id) forgetPicture();
  chosen = id;
  showPages();
  showPage();
  showTools();
  picture();
}

function showPages() {
  const focused = $('pages').contains(document.activeElement) ? document.activeElement.title : null;
  $('pages').replaceChildren(
    ...[...pages].map(([id, page]) =>
      make('li', '', {}, make('button', page.title || page.url, { 'aria-current': String(id === chosen), title: id, onclick: () => choose(id) }, make('span', id, { class: 'quiet' }))),
    ),
  );
  // The buttons are new ones; who works by keyboard stays at theirs.
  if (focused) [...$('pages').querySelectorAll('button')].find((button) => button.title === focused)?.focus();
}

function showPage() {
  const page = pages.get(chosen);
  $('nothing').hidden = Boolean(page);
  $('shown').hidden = !page;
  if (!page) return;
  $('title').textContent = page.title || chosen;
  $('address').textContent = `${page.url} · ${chosen}`;
  const badges = page.states.map((state) => make('span', state, { class: 'state' }));
  $('states').replaceChildren(...(badges.length ? badges : [make('span', 'no declared state is current', { class: 'quiet' })]));
}

function showTools() {
  const page = pages.get(chosen);
  const tools = page?.tools ?? [];
  $('tool').replaceChildren(...tools.map((tool) => make('option', tool.name, { value: tool.name })));
  $('projections').replaceChildren(
    ...(page?.projections ?? []).flatMap(({ name }) => [
      make('button', `Read ${name}`, { type: 'button', class: 'plain', onclick: () => perform('actions.site', { mode: 'state_read', projection: name }) }),
      make('button', `What changed in ${name}`, { type: 'button', class: 'plain', onclick: () => perform('actions.site', { mode: 'state_diff', projection: name }) }),
    ]),
  );
  showForm();
}

function showForm() {
  const tool = pages.get(chosen)?.tools?.find((one) => one.name === $('tool').value);
  $('about').textContent = tool?.description ?? '';
  const properties = Object.entries(tool?.input_schema?.properties ?? {});
  const required = new Set(tool?.input_schema?.required ?? []);
  $('fields').replaceChildren(...properties.flatMap(([name, schema]) => field(name, schema, required.has(name))));
}

/** A field of a form, made from the schema of one argument. */
function field(name, schema, required) {
  number += 1;
  const id = `field-${number}`;
  const label = make('label', `${name}${required ? ' (required)' : ''}`, { for: id, title: schema.description ?? '' });
  const common = { id, 'data-name': name };
  const kind = schema.type ?? 'any';
  let input;
  if (Array.isArray(schema.enum)) {
    const options = schema.enum.map((value) => make('option', String(value), { value: JSON.stringify(value) }));
    input = make('select', '', { ...common, 'data-kind': 'json' }, ...(required ? [] : [make('option', '—', { value: '' })]), ...options);
  } else if (kind === 'boolean') {
    input = make('input', '', { ...common, type: 'checkbox', 'data-kind': 'boolean' });
    input.checked = schema.default === true;
  } else if (kind === 'integer' || kind === 'number') {
    input = make('input', '', { ...common, type: 'number', step: kind === 'integer' ? '1' : 'any', 'data-kind': 'number' });
  } else if (kind === 'string') {
    const secret = schema.format === 'password' || schema.writeOnly === true || schema.x_secret === true;
    input = make('input', '', { ...common, type: secret ? 'password' : 'text', autocomplete: 'off', 'data-kind': 'text' });
  } else {
    input = make('textarea', '', { ...common, rows: '2', placeholder: 'JSON', 'data-kind': 'json' });
  }
  if (required && kind !== 'boolean') input.required = true;
  if (schema.default !== undefined && 'value' in input && kind !== 'boolean') {
    input.value = input.dataset.kind === 'json' ? JSON.stringify(schema.default) : String(schema.default);
  }
  return [label, input];
}

/** The arguments that the form holds. Empty fields that are not required are left out. */
function argumentsOf() {
  const args = {};
  for (const input of $('fields').querySelectorAll('[data-name]')) {
    const { name, kind } = input.dataset;
    if (kind === 'boolean') args[name] = input.checked;
    else if (input.value === '' && !input.required) continue;
    else if (kind === 'number') args[name] = Number(input.value);
    else args[name] = kind === 'json' ? JSON.parse(input.value) : input.value;
  }
  return args;
}

async function perform(name, args) {
  const result = $('result');
  result.hidden = false;
  result.className = '';
  result.textContent = '…';
  const answer = await call(chosen, name, args);
  result.className = answer.error ? 'bad' : '';
  result.textContent = answer.error ? `${answer.error.code}: ${answer.error.message}` : JSON.stringify(answer.output, null, 2);
}

/** Takes an event of a call, or the questions that wait. */
function happen(event) {
  if (event.kind === 'questions') return showQuestions(event.questions);
  if (event.kind !== 'call') return undefined;
  const { event: run, runtime_id } = event;
  const record = calls.get(run.call_id) ?? begin(run, runtime_id);
  const kind = run.type ?? run.kind ?? run.event;
  if (kind === 'step_started') record.steps.append(make('li', `${run.step_id} · ${run.primitive}`, { 'data-step': run.step_id }));
  if (kind === 'step_finished') {
    const { id, ok, duration_ms } = run.summary ?? run;
    const row = [...record.steps.children].findLast((one) => one.dataset.step === id);
    if (row) row.textContent = `${ok ? '✓' : '✗'} ${row.textContent} · ${duration_ms} ms`;
  }
  if (kind === 'primitive_finished' && run.output) mark(runtime_id, run.output);
  if (kind === 'call_finished') {
    record.head.textContent = `${run.ok ? '✓' : '✗'} ${record.name} · ${run.duration_ms} ms`;
    record.head.className = run.ok ? 'good' : 'bad';
    if (run.error) record.row.append(make('div', run.error.message ?? '', { class: 'quiet' }));
    // Who has just pressed the button stays at the call.
    if (document.activeElement === record.stop) record.row.focus();
    record.stop.remove();
    picture();
  }
  return undefined;
}

function begin(run, runtime_id) {
  const name = run.tool ?? run.call_id;
  const head = make('strong', `… ${name}`);
  const steps = make('ol');
  const stop = make('button', 'Stop', { class: 'stop', 'aria-label': `Stop ${name}`, onclick: () => ask(`/cancel/${encodeURIComponent(run.call_id)}`, { method: 'POST' }) });
  const row = make('li', '', { tabindex: '-1' }, head, ' ', stop, make('div', runtime_id, { class: 'quiet' }), steps);
  const record = { name, head, steps, stop, row };
  calls.set(run.call_id, record);
  prepend('calls', row);
  while (calls.size > MOST) calls.delete(calls.keys().next().value);
  return record;
}

function prepend(list, row) {
  $(list).prepend(row);
  while ($(list).childElementCount > MOST) $(list).lastElementChild.remove();
}

/** Remembers the element of the last step, or the point where it acted. */
function mark(id, output) {
  const page = pages.get(id);
  const box = output.target?.bounding_box ?? output.acted_on?.bounding_box ?? output.bounding_box;
  const isPoint = typeof output.x === 'number' && typeof output.y === 'number';
  if (!page || !(box || isPoint)) return;
  page.mark = box ?? { x: output.x - 12, y: output.y - 12, width: 24, height: 24 };
  if (id === chosen) picture();
}

/** What had the focus when a question took it. */
let interrupted = null;

function showQuestions(questions) {
  const { activeElement: focused, body } = document;
  const had = focused?.closest?.('.question') !== null;
  $('questions').replaceChildren(
    ...questions.map((question) => {
      const decide = (allow) => () =>
        ask('/confirm', { method: 'POST', body: JSON.stringify({ id: question.id, allow }), headers: { 'content-type': 'application/json' } });
      return make('div', '', { class: 'question', role: 'group', tabindex: '-1', 'aria-label': `Question about ${question.tool}` },
        make('strong', `May ${question.operation ?? question.tool} run?`),
        make('p', question.reason ?? question.description),
        make('pre', JSON.stringify(question.input, null, 2)),
        make('button', 'Allow', { onclick: decide(true) }),
        make('button', 'Refuse', { class: 'plain', onclick: decide(false) }),
      );
    }),
  );
  // Never from a field, which a person may be typing into, and not to a button: a key that was meant for something else must
  // not answer.
  if (!had && focused !== body && focused !== $('call')) return;
  if (!had) interrupted = focused;
  ($('questions').firstElementChild ?? interrupted)?.focus();
}

let shownUrl = null;

/** The picture of another page is worse than none. */
function forgetPicture() {
  $('image').onload = null;
  $('image').removeAttribute('src');
  $('mark').hidden = true;
  $('caption').textContent = '';
}

async function picture() {
  if (!chosen || document.hidden) return;
  const id = chosen;
  const response = await ask(`/picture/${encodeURIComponent(id)}`).catch(() => null);
  if (!response?.ok || id !== chosen) return;
  const blob = await response.blob();
  if (id !== chosen) return;
  const url = URL.createObjectURL(blob);
  const image = $('image');
  image.onload = () => {
    if (shownUrl) URL.revokeObjectURL(shownUrl);
    shownUrl = url;
    const box = pages.get(id)?.mark;
    $('mark').hidden = !box;
    $('caption').textContent = box ? 'The frame is around the element of the last step.' : '';
    if (!box) return;
    // A picture has as many pixels as the page has CSS pixels.
    const scale = image.clientWidth / image.naturalWidth;
    for (const [side, size] of [['left', box.x], ['top', box.y], ['width', box.width], ['height', box.height]]) {
      $('mark').style.setProperty(side, `${size * scale}px`);
    }
  };
  image.src = url;
}

$('tool').addEventListener('change', showForm);
$('form').addEventListener('submit', (event) => {
  event.preventDefault();
  let args;
  try {
    args = argumentsOf();
  } catch (error) {
    $('result').hidden = false;
    $('result').className = 'bad';
    $('result').textContent = error.message;
    return;
  }
  perform($('tool').value, args);
});
setInterval(picture, 1_500);
connect();
follow();
