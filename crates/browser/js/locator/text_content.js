// `locator.text_content`: reads the text of an element.

import { ok, refuse } from '../answer/answer.js';
import { accessible_name } from '../aria/name.js';
import { visible_text } from '../reading/visible_text.js';
import { choose } from './choose.js';

/**
 * Returns the normalised visible text of an element, or its accessible name when it shows no text.
 *
 * @param {{locator: Locator, max_chars?: number}} args
 * @param {Call} call
 */
export function locator_text_content({ locator, max_chars = 100_000 }, call) {
  const chosen = choose(locator, call);
  if ('error' in chosen) return chosen;
  const { element, found } = chosen.ok;
  const { text, truncated } = visible_text(element, { max_chars });
  if (truncated) {
    return refuse('payload_too_large', `the text is longer than ${max_chars} characters`, {
      max_chars,
      start: text.slice(0, 200),
      narrowing_hints: ['choose a smaller element', 'raise max_chars', 'use dom.snapshot_text, which truncates'],
    });
  }
  return ok({ text: text === '' ? accessible_name(element) : text, ...found });
}
