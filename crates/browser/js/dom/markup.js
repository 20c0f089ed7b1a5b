// `dom.markup`: reads the source of an element.

import { ok, refuse } from '../answer/answer.js';
import { choose } from '../locator/choose.js';
import { outer_html } from '../native/element.js';
import { text_fits } from '../reading/text_fits.js';

/**
 * Returns the HTML of an element as the page has it now. It is the source of a stranger: callers clean it.
 *
 * @param {{locator: Locator, max_chars: number}} args
 * @param {Call} call
 */
export function dom_markup({ locator, max_chars }, call) {
  const chosen = choose(locator, call);
  if ('error' in chosen) return chosen;
  const { element } = chosen.ok;
  // The text alone is counted first, so that a huge element is not written out.
  const markup = text_fits(element, max_chars) ? outer_html(element) : null;
  if (markup === null || markup.length > max_chars) {
    return refuse('payload_too_large', `the element has more than ${max_chars} characters of HTML`, { max_chars });
  }
  return ok({ markup });
}
