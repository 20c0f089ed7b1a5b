// Compares the content of a field with the content that it should have.

import { editing_kind } from '../form/editable.js';
import { selection_of } from './entry.js';

/** Text in which one caret step always crosses one UTF-16 unit. */
const PLAIN = /^[\x20-\x7e]*$/;

/** Types of `input` whose value the browser trims. */
const TRIMMED = /^(email|url)$/;

/**
 * Returns the content an element should have after a text was entered; null when its selection is unknown.
 *
 * @param {import('./entry.js').Entry} entry
 * @param {string} text
 * @param {number} selected_back
 * @returns {string | null}
 */
export function expected_text({ element, mode, before, start, end }, text, selected_back) {
  const entered = as_stored(element, text);
  // A date, a colour or a range has a single value, so every mode replaces it.
  if (mode === 'replace' || editing_kind(element) === 'value') return entered;
  if (before === null || start === null || end === null) return null;
  const kept = before.slice(0, start);
  if (selected_back > 0 && (start !== end || !PLAIN.test(kept))) return null;
  return kept.slice(0, Math.max(0, start - selected_back)) + entered + before.slice(end);
}

/**
 * Returns whether the content of an element is exactly the expected one. What an editor itself does to line ends and
 * non-breaking spaces is not compared.
 *
 * @param {import('./entry.js').Entry} entry
 * @param {string} now
 * @param {string | null} wanted null when only the entered text is known, and not where it went
 * @param {string} text
 * @returns {boolean}
 */
export function is_same_text({ element, before }, now, wanted, text) {
  if (wanted === null) return is_spliced(element, before ?? '', now, text);
  if (now === wanted || comparable(element, now) === comparable(element, wanted)) return true;
  // A page may append a selected suggestion, which the next key replaces.
  const [start, end] = selection_of(element);
  return start !== null && end !== null && start < end && now.slice(0, start) + now.slice(end) === wanted;
}

/**
 * Returns whether the content is what it was before with the text put in somewhere, in place of a part of it or of
 * nothing.
 *
 * @param {Element} element
 * @param {string} before
 * @param {string} now
 * @param {string} text
 */
function is_spliced(element, before, now, text) {
  const old = plain(element, before);
  const current = plain(element, now);
  const entered = plain(element, as_stored(element, text));
  // The line ends around the text may have become paragraphs, which the content shows in its own way.
  return [entered, entered.replace(/\n$/, ''), entered.replace(/^\n/, ''), entered.replace(/^\n|\n$/g, '')].some(
    (each) => is_put_into(old, current, each),
  );
}

/**
 * @param {string} before
 * @param {string} now
 * @param {string} entered
 */
function is_put_into(before, now, entered) {
  const rest = now.length - entered.length;
  if (rest < 0 || rest > before.length) return false;
  let head = 0;
  while (head < rest && before[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < rest && before[before.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1;
  const at = now.indexOf(entered, rest - tail);
  return at !== -1 && at <= head;
}

/**
 * Returns text as an element stores it: without line breaks in a single-line field, with normalised ones otherwise.
 *
 * @param {Element} element
 * @param {string} text
 */
function as_stored(element, text) {
  if (editing_kind(element) !== 'line') return text.replace(/\r\n?/g, '\n');
  const line = text.replace(/[\r\n]+/g, '');
  return TRIMMED.test(/** @type {HTMLInputElement} */ (element).type) ? line.trim() : line;
}

/**
 * @param {Element} element
 * @param {string} text
 */
function comparable(element, text) {
  return editing_kind(element) === 'content' ? plain(element, text).replace(/^\n|\n$/g, '') : text;
}

/**
 * Returns a text for comparison. Editable elements have empty placeholders and non-breaking spaces in place of nothing
 * and spaces.
 *
 * @param {Element} element
 * @param {string} text
 */
function plain(element, text) {
  if (editing_kind(element) !== 'content') return text;
  return text.replace(/\u00a0/g, ' ').replace(/[\u200b\u2060\ufeff]+/g, '');
}
