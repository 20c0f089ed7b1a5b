import { ok, refuse } from '../answer/answer.js';
import { active_element } from '../focus/active_element.js';
import { editing_kind } from '../form/editable.js';
import { is_connected } from '../native/node.js';
import { comparable_text } from '../reading/comparable_text.js';
import { composed_contains } from '../tree/composed_contains.js';
import { content_now, entry_of } from './entry.js';

/**
 * Reads an element back after text was entered and tells whether it holds it. The content itself is not given.
 *
 * @param {{token: number, text: string}} args
 */
export function text_verify({ token, text }) {
  const entry = entry_of(token);
  if (!entry) return refuse('invalid_input', `no text was aimed under the token ${token}`);
  const { element, before } = entry;
  const now = content_now(element);
  const exact = now !== null && now === expected(entry, text);
  return ok({
    readable: now !== null,
    exact,
    holds: now !== null && (exact || holds(entry, now, text)),
    changed: now !== before,
    value_length: now?.length ?? 0,
    connected: is_connected(element),
    focused: composed_contains(element, active_element()),
  });
}

/**
 * Gives what an element should hold; null when it does not tell where its caret was.
 *
 * @param {import('./entry.js').Entry} entry
 * @param {string} text
 */
function expected({ element, mode, before, start, end }, text) {
  const entered = as_held(element, text);
  if (mode === 'replace') return entered;
  if (before === null || start === null || end === null) return null;
  return before.slice(0, start) + entered + before.slice(end);
}

/**
 * Says whether the content shows the text, white space aside, where it was put.
 *
 * @param {import('./entry.js').Entry} entry
 * @param {string} now
 * @param {string} text
 */
function holds({ element, mode, before }, now, text) {
  const entered = comparable_text(as_held(element, text));
  const content = comparable_text(now);
  if (mode === 'replace') return content === entered;
  if (entered === '') return true;
  return content.includes(entered) && now !== before;
}

/**
 * Gives a text as an element keeps it: one line without line breaks, several with one kind of them.
 *
 * @param {Element} element
 * @param {string} text
 */
function as_held(element, text) {
  return editing_kind(element) === 'line' ? text.replace(/[\r\n]+/g, '') : text.replace(/\r\n?/g, '\n');
}
