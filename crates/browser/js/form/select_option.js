import { ok, refuse } from '../answer/answer.js';
import { show } from '../action/scroll_to.js';
import { target_label } from '../facts/describe.js';
import { disabled_reason } from '../facts/disabled_reason.js';
import { facts } from '../facts/facts.js';
import { is_rendered } from '../facts/is_rendered.js';
import { give_focus } from '../focus/give_focus.js';
import { await_choice } from '../locator/await_choice.js';
import { node_text } from '../native/node.js';
import { dispatch } from '../native/node.js';
import { comparable_text } from '../reading/comparable_text.js';
import { cut_text } from '../reading/cut_text.js';

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

/**
 * Chooses exactly the options that are named, with the events of a choice by hand, and reads the choice back.
 *
 * @param {Wanted & {locator: Locator, deadline_ms?: number}} args
 * @param {Call} call
 */
export async function form_select_option({ locator, deadline_ms = 0, ...wanted }, call) {
  const ready = (/** @type {Element} */ element) =>
    element instanceof HTMLSelectElement &&
    is_rendered(element) &&
    disabled_reason(element) === null &&
    !('error' in find_options(element, wanted));
  const chosen = await await_choice(locator, call, deadline_ms, ready);
  if ('error' in chosen) return chosen;
  const { element: select, found } = chosen.ok;
  const obstacle = refuse_unready(select, wanted);
  if (obstacle) return obstacle;
  const field = /** @type {HTMLSelectElement} */ (select);
  const options = find_options(field, wanted);
  if ('error' in options) return options;

  show(field);
  give_focus(field);
  const before = chosen_options(field);
  const after = new Set(options.ok);
  const changed = before.length !== after.size || before.some((option) => !after.has(option));
  if (changed) {
    for (const option of field.options) option.selected = after.has(option);
    dispatch(field, new Event('input', { bubbles: true, composed: true }));
    dispatch(field, new Event('change', { bubbles: true }));
  }
  const now = chosen_options(field);
  if (now.length !== after.size || now.some((option) => !after.has(option))) {
    return refuse('input_not_received', 'the options were chosen, but the page undid it', { selected: now.map(told) });
  }
  return ok({ selected: now.map(told), changed, ...found });
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
    return refused('not_a_select', 'is not a select element; operate it by clicks');
  if (!is_rendered(element)) return refused('not_rendered', 'is not rendered');
  const disabled = disabled_reason(element);
  if (disabled) return refused(disabled.reason, `is disabled (\`${disabled.by}\`)`);
  if (several && !element.multiple) return refused('takes_one_option', 'takes only one option');
  return null;
}

/**
 * @param {HTMLSelectElement} select
 * @param {Wanted} wanted
 * @returns {{ok: HTMLOptionElement[]} | Refusal}
 */
function find_options(select, wanted) {
  const options = Array.from(select.options);
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
      options: options.slice(0, MAX_LISTED).map((each) => ({ ...told(each), disabled: is_disabled(each) })),
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
  return option.matches(':disabled');
}

/** @param {HTMLOptionElement} option */
function label_of(option) {
  return option.label || (node_text(option) ?? '');
}

/** @param {HTMLSelectElement} select */
function chosen_options(select) {
  return Array.from(select.selectedOptions);
}

/** @param {HTMLOptionElement} option */
function told(option) {
  return {
    value: cut_text(option.value, 1_000),
    label: cut_text(comparable_text(label_of(option)), 1_000),
    index: option.index,
  };
}
