// `locator.text_content`: reads the text of an element.

import { ok, refuse } from '../answer/answer.js';
import { attribute } from '../native/element.js';
import { node_text } from '../native/node.js';
import { normalize_text } from '../reading/normalize_text.js';
import { text_fits } from '../reading/text_fits.js';
import { visible_text } from '../reading/visible_text.js';
import { choose } from './choose.js';

/** The longest text that is read before normalising, which takes white space and invisible characters out. */
const MAX_RAW_CHARS = 4_000_000;

/**
 * Returns the normalised `textContent` of an element, else its `aria-label`, else the text of its shadow roots.
 *
 * @param {{locator: Locator, max_chars?: number}} args
 * @param {Call} call
 */
export function locator_text_content({ locator, max_chars = 100_000 }, call) {
  const chosen = choose(locator, call);
  if ('error' in chosen) return chosen;
  const { element, found } = chosen.ok;
  const text = text_fits(element, MAX_RAW_CHARS) ? normalize_text(node_text(element) ?? '') : null;
  if (text === null || text.length > max_chars) return too_long(element, max_chars);
  if (text !== '') return ok({ text, ...found });
  const label = normalize_text(attribute(element, 'aria-label') ?? '');
  if (label !== '') return ok({ text: label, ...found });
  const shown = visible_text(element, { max_chars });
  if (shown.truncated) return too_long(element, max_chars);
  return ok({ text: shown.text, ...found });
}

/**
 * @param {Element} element
 * @param {number} max_chars
 */
function too_long(element, max_chars) {
  return refuse('payload_too_large', `the text is longer than ${max_chars} characters`, {
    max_chars,
    start: visible_text(element, { max_chars: 200 }).text,
    narrowing_hints: ['choose a smaller element', 'raise max_chars', 'use dom.snapshot_text, which truncates'],
  });
}
