import { refuse } from '../answer/answer.js';
import { held_value } from '../form/held_value.js';
import { editing_kind } from '../form/editable.js';

/** The longest content that is compared afterwards. */
const MAX_CHARS = 2_000_000;

/**
 * @typedef {object} Entry what an element held when text was aimed at it
 * @property {Element} element
 * @property {'append' | 'insert' | 'replace'} mode
 * @property {string | null} before null when it cannot be read
 * @property {number | null} start where the selection starts, null when the element does not tell
 * @property {number | null} end
 */

/** The last entry that was begun; the value of a field never leaves the page for the sake of comparing it. */
let last = { token: 0, entry: /** @type {Entry | null} */ (null) };

/**
 * Remembers what an element holds before text is entered.
 *
 * @param {Element} element
 * @param {Entry['mode']} mode
 * @returns {number} the token by which the entry is verified
 */
export function begin_entry(element, mode) {
  const { value } = held_value(element, MAX_CHARS);
  const [start, end] = selection_of(element);
  last = { token: last.token + 1, entry: { element, mode, before: value, start, end } };
  return last.token;
}

/**
 * Gives the entry of a token, if it is the last one.
 *
 * @param {number} token
 * @returns {Entry | null}
 */
export function entry_of(token) {
  return token === last.token ? last.entry : null;
}

/**
 * Refuses to go on with an entry that this document knows nothing of: the one in which it was begun is gone.
 */
export function refuse_lost() {
  return refuse('target_detached', 'the document made room for another while its field was being filled');
}

/**
 * Reads what an element holds now, for comparison.
 *
 * @param {Element} element
 * @returns {string | null}
 */
export function content_now(element) {
  return held_value(element, MAX_CHARS).value;
}

/**
 * Tells where the selection of a field starts and ends; null when it does not tell.
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
