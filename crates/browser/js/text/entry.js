// Remembers what a field contained before text is entered, and records the keys and the text that arrive, so that
// `text.verify` can compare them afterwards.

import { refuse } from '../answer/answer.js';
import { active_element } from '../focus/active_element.js';
import { editing_host, editing_kind } from '../form/editable.js';
import { held_value } from '../form/held_value.js';
import { listen } from '../native/node.js';
import { composed_contains } from '../tree/composed_contains.js';
import { watch_departure } from '../wait/departure.js';

/** The longest content that is compared. */
const MAX_CHARS = 2_000_000;

/**
 * @typedef {object} Entry the state of an element before text entry, and what has arrived since
 * @property {Element} element
 * @property {Element} host the element that has the focus meanwhile
 * @property {'append' | 'insert' | 'replace'} mode
 * @property {string | null} before its content; null when it cannot be read
 * @property {number | null} start where the selection starts; null when the element does not expose it
 * @property {number | null} end
 * @property {Pick<Entry, 'before' | 'start' | 'end'> | null} earlier what those were before the element filled itself in;
 *   null when it did not
 * @property {string} keys the characters of the keys that arrived in the document, Enter and Tab included
 * @property {string} inserted the text that the browser was about to insert
 * @property {number} released how many keys were released
 * @property {boolean} strayed whether a key or a text went to another element
 * @property {boolean} held whether the element held more than white space when a later key arrived
 * @property {(() => void) | null} notice called when something arrives
 * @property {(() => void) | null} abandon called when a newer entry replaces this one
 * @property {import('../wait/departure.js').Departure} departure
 */

/** The most recent entry. It is kept here so that the value of a field never leaves the page just to be compared. */
let last = { token: 0, entry: /** @type {Entry | null} */ (null) };

/**
 * Adds listeners to the window before the page's own scripts run, so that they receive every event before any listener
 * of the page. They do nothing until an entry begins.
 */
export function listen_for_entries() {
  listen(window, 'keydown', on_key, { capture: true });
  listen(window, 'keyup', on_release, { capture: true });
  listen(window, 'beforeinput', on_insertion, { capture: true });
}

/**
 * Remembers the content of an element before text is entered, and records what arrives from now on.
 *
 * @param {Element} element
 * @param {Entry['mode']} mode
 * @returns {number} a token that identifies the entry in later calls
 */
export function begin_entry(element, mode) {
  if (last.entry) end_entry(last.entry);
  const value = content_now(element);
  const [start, end] = selection_of(element);
  /** @type {Entry} */
  const entry = {
    ...{ element, host: editing_host(element), mode, before: value, start, end },
    ...{ keys: '', inserted: '', released: 0, strayed: false, held: false, notice: null, abandon: null },
    earlier: null,
    departure: watch_departure(),
  };
  last = { token: last.token + 1, entry };
  // `document.open()` removes listeners, so add them again; listeners that are still registered are not added twice.
  listen_for_entries();
  return last.token;
}

/**
 * Remembers the content and the selection that the element of an entry has now, beside those it had.
 *
 * @param {Entry} entry
 */
export function renew_entry(entry) {
  const { before, start, end } = entry;
  entry.earlier = { before, start, end };
  entry.before = content_now(entry.element);
  [entry.start, entry.end] = selection_of(entry.element);
}

/**
 * Stops recording what arrives.
 *
 * @param {Entry} entry
 */
export function end_entry(entry) {
  entry.departure.stop();
  entry.notice = null;
  entry.abandon?.();
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
 * Returns whether content is nothing but white space.
 *
 * @param {string | null} content
 * @returns {boolean}
 */
export function is_blank(content) {
  return content !== null && content.trim() === '';
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

/** The characters of keys whose name is not their character. @type {Record<string, string | undefined>} */
const NAMED = { Enter: '\n', Tab: '\t' };

/** @param {Event} event */
function on_key(event) {
  const { entry } = last;
  if (!entry || !event.isTrusted || !(event instanceof KeyboardEvent)) return;
  const character = [...event.key].length === 1 ? event.key : NAMED[event.key];
  if (character === undefined) return;
  if (entry.keys !== '' && !entry.held) entry.held = !is_blank(content_now(entry.element));
  entry.keys += character;
  note_place(entry);
}

/** @param {Event} event */
function on_release(event) {
  const { entry } = last;
  if (!entry || !event.isTrusted || !(event instanceof KeyboardEvent)) return;
  if ([...event.key].length !== 1 && NAMED[event.key] === undefined) return;
  entry.released += 1;
  entry.notice?.();
}

/** @param {Event} event */
function on_insertion(event) {
  const { entry } = last;
  if (!entry || !event.isTrusted || !(event instanceof InputEvent) || !event.data) return;
  entry.inserted += event.data;
  note_place(entry);
}

/** @param {Entry} entry */
function note_place(entry) {
  entry.strayed ||= !composed_contains(entry.host, active_element());
  entry.notice?.();
}
