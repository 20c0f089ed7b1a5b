// `form.files`: reads the files of a file input.

import { ok, refuse } from '../answer/answer.js';
import { end_begun, let_answers_leave, note_begun } from '../action/begun.js';
import { target_label } from '../facts/describe.js';
import { disabled_reason } from '../facts/disabled_reason.js';
import { choose } from '../locator/choose.js';
import { capture_getter, capture_setter } from '../native/capture.js';
import { is_element } from '../native/kind.js';
import { dispatch, is_connected, listen, unlisten } from '../native/node.js';
import { cut_text } from '../reading/cut_text.js';
import { watch_departure } from '../wait/departure.js';
import { reaction } from '../wait/reaction.js';
import { acted_on, control_of } from './control_of.js';
import { inert_reason } from './inert_reason.js';

const input_files = capture_getter(HTMLInputElement.prototype, 'files');
const set_value = capture_setter(HTMLInputElement.prototype, 'value');

/** The field that was read before it was given files. @type {HTMLInputElement | null} */
let known = null;

/**
 * The files that this field held when the page was told of them; null when it has not been told. Widgets take the files
 * over in that moment and empty the field, or put a new one in its place.
 *
 * @type {HeldFile[] | null}
 */
let told = null;

/** @typedef {{name: string, size_bytes: number}} HeldFile */

/**
 * Returns the files of a file input and whether it accepts several. A label or a component stands for its file input.
 *
 * An input that is disabled or inert is refused. `clear` takes the files away first, as a visitor does who chooses none.
 *
 * `chosen` means the input that the driver passes as a handle: the one of a file chooser, which may be in no document.
 *
 * Once the input has been given its files (`given`), the answer waits until the page has reacted and describes the same
 * input, even if the page has disabled or removed it: the files that it holds, and those that it held when the page was
 * told of them.
 *
 * @param {{locator: Locator, given?: boolean, clear?: boolean, chosen?: boolean, act?: string}} args
 * @param {Call} call
 */
export async function form_files(args, call) {
  const departure = watch_departure();
  try {
    return await read_files(args, call, departure);
  } finally {
    departure.stop();
    end_begun(args.act ?? '');
  }
}

/**
 * @param {Parameters<typeof form_files>[0]} args
 * @param {Call} call
 * @param {import('../wait/departure.js').Departure} departure
 */
async function read_files({ locator, given = false, clear = false, chosen: from_chooser = false, act = '' }, call, departure) {
  if (given) {
    if (!known) return refuse('target_detached', 'the page loaded another document when the field was given its files');
    await reaction(departure);
    unlisten(known, 'change', on_change, { capture: true });
    return ok({ files: held_by(known), told, connected: is_connected(known) });
  }
  if (from_chooser) return expect_chosen(call);
  const chosen = choose(locator, call);
  if ('error' in chosen) return chosen;
  const matched = chosen.ok.element;
  const element = file_field_of(matched);
  const found = { ...acted_on(matched, element), ...chosen.ok.found };
  const disabled = disabled_reason(element) ?? inert_reason(element);
  const field = is_file_field(element) ? element : null;
  if (!field || disabled) {
    return refuse('target_not_actionable', `\`${target_label(element)}\` is ${field ? 'disabled or inert' : 'not a file input'}, so it accepts no files`, {
      reason: disabled?.reason ?? 'not_a_file_field',
      ...(disabled ? { by: disabled.by } : {}),
      ...found,
    });
  }
  expect_files(field);
  if (clear && input_files(field)?.length) {
    set_value(field, '');
    note_begun(act, {});
    await let_answers_leave();
    dispatch(field, new Event('input', { bubbles: true, composed: true }));
    dispatch(field, new Event('change', { bubbles: true }));
    await reaction(departure);
  }
  return ok({ files: held_by(field), multiple: field.multiple, ...found });
}

/** @param {Call} call */
function expect_chosen({ nodes: [field] }) {
  if (!field || !is_element(field) || !is_file_field(field)) {
    return refuse('target_detached', 'the file field of the chooser is gone');
  }
  expect_files(field);
  return ok({ files: held_by(field), multiple: field.multiple });
}

/** @param {HTMLInputElement} field */
function expect_files(field) {
  known = field;
  told = null;
  listen(field, 'change', on_change, { capture: true });
}

/** @param {Event} event */
function on_change({ isTrusted, target }) {
  if (isTrusted && known && target === known) told = held_by(known);
}

/**
 * @param {HTMLInputElement} field
 * @returns {HeldFile[]}
 */
function held_by(field) {
  return Array.from(input_files(field) ?? [], ({ name, size }) => ({ name: cut_text(name, 255), size_bytes: size }));
}

/**
 * Returns the file input that a label or a component stands for; any other element itself.
 *
 * @param {Element} matched
 * @returns {Element}
 */
export function file_field_of(matched) {
  return control_of(matched, is_file_field);
}

/**
 * @param {Element} element
 * @returns {element is HTMLInputElement}
 */
function is_file_field(element) {
  return element instanceof HTMLInputElement && element.type === 'file';
}
