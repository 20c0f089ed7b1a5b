// `dom.snapshot_text`: reads the visible text of a part of the page.

import { ok, refuse } from '../answer/answer.js';
import { is_rendered } from '../facts/is_rendered.js';
import { visible_text } from '../reading/visible_text.js';
import { matches } from './matches.js';

/**
 * Returns the text a person sees in the first rendered match, truncated to a number of characters.
 *
 * @param {{selector?: string, max_chars?: number}} args
 * @param {Call} call
 */
export function dom_snapshot_text({ selector = 'body', max_chars = 12_000 }, call) {
  const matching = matches(call, selector);
  if ('error' in matching) return matching;
  const element = matching.ok.find(is_rendered) ?? matching.ok[0];
  if (!element) return refuse('target_not_found', `no element matches \`${selector}\``, { selector });
  if (!is_rendered(element)) return ok({ text: '', truncated: false });
  const { text, truncated } = visible_text(element, { max_chars });
  return ok({ text, truncated });
}
