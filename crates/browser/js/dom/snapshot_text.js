// `dom.snapshot_text`: reads the visible text of a part of the page.

import { ok } from '../answer/answer.js';
import { is_rendered } from '../facts/is_rendered.js';
import { visible_text } from '../reading/visible_text.js';
import { matches } from './matches.js';

/**
 * Returns the text a person sees in all rendered matches, one after the other, truncated to a number of characters.
 *
 * @param {{selector?: string, max_chars?: number}} args
 * @param {Call} call
 */
export function dom_snapshot_text({ selector = 'body', max_chars = 12_000 }, call) {
  const matching = matches(call, selector);
  if ('error' in matching) return matching;
  /** @type {string[]} */
  const texts = [];
  let left = max_chars;
  for (const element of matching.ok.filter(is_rendered)) {
    // The text before this one, and the space behind it, have used up the limit.
    if (left < 1) return ok({ text: texts.join(' '), truncated: true });
    const { text, truncated } = visible_text(element, { max_chars: left });
    if (text !== '') texts.push(text);
    if (truncated) return ok({ text: texts.join(' '), truncated });
    left -= text === '' ? 0 : text.length + 1;
  }
  return ok({ text: texts.join(' '), truncated: false });
}
