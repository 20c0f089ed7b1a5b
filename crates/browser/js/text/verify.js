// `text.verify`: checks that an element contains the text that was entered.

import { ok } from '../answer/answer.js';
import { active_element } from '../focus/active_element.js';
import { editing_kind } from '../form/editable.js';
import { is_connected } from '../native/node.js';
import { comparable_text } from '../reading/comparable_text.js';
import { composed_contains } from '../tree/composed_contains.js';
import { content_now, entry_of, refuse_lost, selection_of } from './entry.js';

/** Text in which one caret step always crosses one UTF-16 unit. */
const PLAIN = /^[\x20-\x7e]*$/;

/**
 * Compares the content of an element with the content expected after text entry. The content itself is not returned.
 *
 * @param {{token: number, text: string, selected_back?: number}} args `selected_back` is how many characters before the
 *   caret were selected before typing
 */
export function text_verify({ token, text, selected_back = 0 }) {
  const entry = entry_of(token);
  if (!entry) return refuse_lost();
  const { element, before } = entry;
  const now = content_now(element);
  const wanted = expected(entry, text, selected_back);
  return ok({
    readable: now !== null,
    exact: now !== null && now === wanted,
    holds: now !== null && (wanted === null ? shows(entry, now, text) : alike(element, now, wanted)),
    changed: now !== before,
    value_length: now?.length ?? 0,
    connected: is_connected(element),
    focused: composed_contains(element, active_element()),
  });
}

/**
 * Returns the content an element should have; null when its selection is unknown.
 *
 * @param {import('./entry.js').Entry} entry
 * @param {string} text
 * @param {number} selected_back
 */
function expected({ element, mode, before, start, end }, text, selected_back) {
  const entered = as_held(element, text);
  // A date, a colour or a range has a single value, so every mode replaces it.
  if (mode === 'replace' || editing_kind(element) === 'value') return entered;
  if (before === null || start === null || end === null) return null;
  const kept = before.slice(0, start);
  if (selected_back > 0 && (start !== end || !PLAIN.test(kept))) return null;
  return kept.slice(0, Math.max(0, start - selected_back)) + entered + before.slice(end);
}

/**
 * Returns whether the content is as expected, ignoring white space. A page may append a selected suggestion, which the
 * next key replaces; that counts as equal.
 *
 * @param {Element} element
 * @param {string} now
 * @param {string} wanted
 */
function alike(element, now, wanted) {
  if (now === wanted || comparable_text(now) === comparable_text(wanted)) return true;
  const [start, end] = selection_of(element);
  return start !== null && end !== null && now.slice(0, start) + now.slice(end) === wanted;
}

/**
 * Returns whether the content contains the entered text, ignoring white space. Used when the caret position is unknown.
 *
 * @param {import('./entry.js').Entry} entry
 * @param {string} now
 * @param {string} text
 */
function shows({ element, before }, now, text) {
  const entered = comparable_text(as_held(element, text));
  return entered === '' || (now !== before && comparable_text(now).includes(entered));
}

/**
 * Returns text as an element stores it: without line breaks in a single-line field, with normalised ones otherwise.
 *
 * @param {Element} element
 * @param {string} text
 */
function as_held(element, text) {
  return editing_kind(element) === 'line' ? text.replace(/[\r\n]+/g, '') : text.replace(/\r\n?/g, '\n');
}
