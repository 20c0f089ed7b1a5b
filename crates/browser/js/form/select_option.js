// `form.select_option`: selects options of a `select` element.

import { ok, refuse } from '../answer/answer.js';
import { end_begun, let_answers_leave, note_begun } from '../action/begun.js';
import { obstacle, refuse_obstacle } from '../action/obstacle.js';
import { reach } from '../action/reach.js';
import { target_label } from '../facts/describe.js';
import { disabled_reason } from '../facts/disabled_reason.js';
import { facts } from '../facts/facts.js';
import { is_rendered } from '../facts/is_rendered.js';
import { give_focus } from '../focus/give_focus.js';
import { await_choice } from '../locator/await_choice.js';
import { choose } from '../locator/choose.js';
import { capture_getter, capture_setter } from '../native/capture.js';
import { element_matches } from '../native/element.js';
import { dispatch, is_connected, node_text } from '../native/node.js';
import { comparable_text } from '../reading/comparable_text.js';
import { cut_text } from '../reading/cut_text.js';
import { watch_departure } from '../wait/departure.js';
import { held } from '../wait/held.js';
import { next_change } from '../wait/next_change.js';
import { now } from '../wait/now.js';
import { acted_on, control_of } from './control_of.js';

const select_options = capture_getter(HTMLSelectElement.prototype, 'options');
const selected_options = capture_getter(HTMLSelectElement.prototype, 'selectedOptions');
const set_selected_index = capture_setter(HTMLSelectElement.prototype, 'selectedIndex');
const set_selected = capture_setter(HTMLOptionElement.prototype, 'selected');

/**
 * @typedef {object} Wanted exactly one of these
 * @property {string} [value]
 * @property {string} [label]
 * @property {number} [index]
 * @property {string[]} [values]
 * @property {string[]} [labels]
 */

/** How many options an error lists. */
const MAX_LISTED = 50;

/** How long a select element may take to stop moving, in milliseconds. */
const STABLE = 400;

/**
 * Selects exactly the named options, fires the events of a manual choice, and waits until the selection holds. A label
 * or a component stands for its select element.
 *
 * @param {Wanted & {locator: Locator, act?: string, deadline_ms?: number}} args
 * @param {Call} call
 */
export async function form_select_option({ act = '', ...args }, call) {
  try {
    return await select_options_of(args, act, call);
  } finally {
    end_begun(act);
  }
}

/**
 * @param {Wanted & {locator: Locator, deadline_ms?: number}} args
 * @param {string} act
 * @param {Call} call
 */
async function select_options_of({ locator, deadline_ms = 0, ...wanted }, act, call) {
  const deadline = now() + deadline_ms;
  const within_reach = await reach_select(locator, wanted, deadline, call);
  if ('error' in within_reach) return within_reach;
  const { field, found } = within_reach.ok;
  const options = find_options(field, wanted);
  if ('error' in options) return options;
  const after = new Set(options.ok);
  const changed = !is_chosen(field, after);
  if (!changed) return judge(field, after, changed, found);
  const departure = watch_departure();
  select(field, after);
  const done = judge(field, after, changed, found);
  if ('ok' in done) note_begun(act, done.ok);
  await let_answers_leave();
  dispatch(field, new Event('input', { bubbles: true, composed: true }));
  dispatch(field, new Event('change', { bubbles: true }));
  const verdict = () =>
    is_connected(field) ? judge(field, after, changed, found) : judge_successor(locator, wanted, found, call);
  await held(() => 'ok' in verdict(), deadline - now(), departure);
  departure.stop();
  return verdict();
}

/**
 * @param {HTMLSelectElement} field
 * @param {Set<HTMLOptionElement>} wanted
 */
function select(field, wanted) {
  for (const option of select_options(field)) set_selected(option, wanted.has(option));
  // The browser selects the first option of a list that has lost its only selected one.
  if (wanted.size === 0) set_selected_index(field, -1);
}

/**
 * Waits until the select element can be operated: it has the options, is enabled, in view, hit by a pointer, and
 * focusable.
 *
 * @param {Locator} locator
 * @param {Wanted} wanted
 * @param {number} deadline on the document's clock
 * @param {Call} call
 * @returns {Promise<{ok: {field: HTMLSelectElement, found: import('../locator/choose.js').Found}} | Refusal>}
 */
async function reach_select(locator, wanted, deadline, call) {
  const ready = (/** @type {Element} */ matched) => {
    const element = select_of(matched);
    return (
      element instanceof HTMLSelectElement &&
      is_rendered(element) &&
      disabled_reason(element) === null &&
      !('error' in find_options(element, wanted))
    );
  };
  for (let scroll = true; ; scroll = false) {
    const chosen = await await_choice(locator, call, Math.max(0, deadline - now()), ready);
    if ('error' in chosen) return chosen;
    const { element: matched } = chosen.ok;
    const element = select_of(matched);
    const found = { ...acted_on(matched, element), ...chosen.ok.found };
    const unready = refuse_unready(element, wanted);
    if (unready) return unready;
    const field = /** @type {HTMLSelectElement} */ (element);
    const options = find_options(field, wanted);
    if ('error' in options) return options;
    const reached = await reach(field, { scroll, stable_ms: STABLE, deadline: Math.max(deadline, now() + STABLE) });
    const reason = obstacle(reached, { require_enabled: true, require_hit: true });
    if (!reason && give_focus(field)) return ok({ field, found });
    if (now() >= deadline) return refuse_obstacle(field, reached, reason ?? 'focus_not_taken', found);
    await next_change(deadline - now());
  }
}

/**
 * @param {HTMLSelectElement} field
 * @param {Set<HTMLOptionElement>} wanted
 * @param {boolean} changed
 * @param {import('../locator/choose.js').Found} found
 */
function judge(field, wanted, changed, found) {
  const selected = chosen_options(field).map(option_summary);
  if (!is_chosen(field, wanted))
    return refuse('input_not_received', 'the options were selected, but the page changed the selection back', { selected });
  return ok({ selected, changed, ...found });
}

/**
 * Checks the result in the select element that replaced the original one.
 *
 * @param {Locator} locator
 * @param {Wanted} wanted
 * @param {import('../locator/choose.js').Found} found
 * @param {Call} call
 */
function judge_successor(locator, wanted, found, call) {
  const chosen = choose(locator, call);
  const field = 'error' in chosen ? null : select_of(chosen.ok.element);
  if (!(field instanceof HTMLSelectElement))
    return refuse('target_detached', 'the select element was removed from the document when its options were selected');
  const options = find_options(field, wanted);
  return 'error' in options ? options : judge(field, new Set(options.ok), true, found);
}

/** @param {Element} matched */
function select_of(matched) {
  return control_of(matched, (element) => element instanceof HTMLSelectElement);
}

/**
 * @param {Element} element
 * @param {Wanted} wanted
 * @returns {Refusal | null}
 */
function refuse_unready(element, wanted) {
  const several = (wanted.values ?? wanted.labels ?? []).length > 1;
  const label = target_label(element);
  const refused = (/** @type {string} */ reason, /** @type {string} */ sentence) =>
    refuse('target_not_actionable', `\`${label}\` ${sentence}`, { reason, visibility: facts(element).visibility });
  if (!(element instanceof HTMLSelectElement))
    return refused('not_a_select', 'is not a select element: click it and its options instead');
  if (!is_rendered(element)) return refused('not_rendered', 'is not rendered');
  const disabled = disabled_reason(element);
  if (disabled) return refused(disabled.reason, `is disabled (\`${disabled.by}\`)`);
  if (several && !element.multiple) return refused('takes_one_option', 'allows only one selected option');
  return null;
}

/**
 * @param {HTMLSelectElement} select
 * @param {Wanted} wanted
 * @returns {{ok: HTMLOptionElement[]} | Refusal}
 */
function find_options(select, wanted) {
  const options = Array.from(select_options(select));
  const found = [];
  for (const { key, text, test } of tests(wanted)) {
    const matching = options.filter(test);
    const option = matching.find((each) => !is_disabled(each));
    if (option) {
      found.push(option);
      continue;
    }
    const why = matching.length > 0 ? 'is disabled' : 'does not exist';
    return refuse('option_not_found', `the option with the ${key} \`${cut_text(text, 200)}\` ${why}`, {
      [key]: text,
      option_count: options.length,
      options: options.slice(0, MAX_LISTED).map((each) => ({ ...option_summary(each), disabled: is_disabled(each) })),
    });
  }
  return { ok: found };
}

/**
 * @param {Wanted} wanted
 * @returns {{key: string, text: string, test: (option: HTMLOptionElement) => boolean}[]}
 */
function tests({ value, label, index, values, labels }) {
  const by_value = (/** @type {string} */ text) => ({
    key: 'value',
    text,
    test: (/** @type {HTMLOptionElement} */ option) => option.value === text,
  });
  const by_label = (/** @type {string} */ text) => ({
    key: 'label',
    text,
    test: (/** @type {HTMLOptionElement} */ option) => comparable_text(label_of(option)) === comparable_text(text),
  });
  if (index !== undefined) {
    return [{ key: 'index', text: String(index), test: (option) => option.index === index }];
  }
  if (label !== undefined || labels) return (labels ?? [label ?? '']).map(by_label);
  return (values ?? [value ?? '']).map(by_value);
}

/** @param {HTMLOptionElement} option */
function is_disabled(option) {
  return element_matches(option, ':disabled');
}

/** @param {HTMLOptionElement} option */
function label_of(option) {
  return option.label || (node_text(option) ?? '');
}

/** @param {HTMLSelectElement} select */
function chosen_options(select) {
  return Array.from(selected_options(select));
}

/**
 * @param {HTMLSelectElement} select
 * @param {Set<HTMLOptionElement>} wanted
 */
function is_chosen(select, wanted) {
  const chosen = chosen_options(select);
  return chosen.length === wanted.size && chosen.every((option) => wanted.has(option));
}

/** @param {HTMLOptionElement} option */
function option_summary(option) {
  return {
    value: cut_text(option.value, 1_000),
    label: cut_text(comparable_text(label_of(option)), 1_000),
    index: option.index,
  };
}
