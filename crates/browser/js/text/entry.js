// Remembers the content of a field before text is entered, so that `text.verify` can compare it afterwards.

import { refuse } from '../answer/answer.js';
import { held_value } from '../form/held_value.js';
import { editing_kind } from '../form/editable.js';

/** The longest content that is compared. */
const MAX_CHARS = 2_000_000;

/**
 * @typedef {object} Entry the state of an element before text entry
 * @property {Element} element
 * @property {'append' | 'insert' | 'replace'} mode
 * @property {string | null} before its content; null when it cannot be read
 * @property {number | null} start where the selection starts; null when the element does not expose it
 * @property {number | null} end
 */

/** The most recent entry. It is kept here so that the value of a field never leaves the page just to be compared. */
let last = { token: 0, entry: /** @type {Entry | null} */ (null) };

/**
 * Remembers the content of an element before text is entered.
 *
 * @param {Element} element
 * @param {Entry['mode']} mode
 * @returns {number} a token that identifies the entry in later calls
 */
export function begin_entry(element, mode) {
  const { value } = held_value(element, MAX_CHARS);
  const [start, end] = selection_of(element);
  last = { token: last.token + 1, entry: { element, mode, before: value, start, end } };
  return last.token;
}

/**
 * Returns the entry of a token if it is the most recent one; null otherwise.
 *
 * @param {number} token
 * @returns {Entry | null}
 */
export function entry_of(token) {
  return token === last.token ? last.entry : null;
}

/** Refuses to continue an entry that this document does not know: it began in a document that has been replaced. */
export function refuse_lost() {
  return refuse('target_detached', 'the page navigated to another document while the field was being filled');
}

/**
 * Returns the current content of an element, for comparison.
 *
 * @param {Element} element
 * @returns {string | null}
 */
export function content_now(element) {
  return held_value(element, MAX_CHARS).value;
}

/**
 * Returns the start and the end of the selection in a field; null when the field does not expose them.
 *
 * @param {Element} element
 * @returns {[number | null, number | null]}
 */
export function selection_of(element) {
  const kind = editing_kind(element);
  if (kind !== 'line' && kind !== 'lines') return [null, null];
  const field = /** @type {HTMLInputElement | HTMLTextAreaElement} */ (element);
  return [field.selectionStart, field.selectionEnd];
}
