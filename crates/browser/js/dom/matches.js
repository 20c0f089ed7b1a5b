// Finds elements by selector and text for the primitives that observe the page.

import { refuse } from '../answer/answer.js';
import { MAX_MATCHES, query_pierced } from '../css/query_pierced.js';
import { refuse_selector } from '../css/refuse_selector.js';
import { search_space } from '../locator/search_space.js';
import { refuse_to_call_absent } from '../locator/unreachable.js';
import { text_test } from '../reading/text_test.js';

/**
 * Returns every element that matches a selector and contains a text, in document order. It refuses to report "none"
 * while a closed shadow root may contain one.
 *
 * @param {Call} call
 * @param {string} selector
 * @param {string} [text_contains] compared as in a locator, but without regard to case
 * @param {(element: Element) => boolean} [wanted] a further condition; every element passes when absent
 * @returns {{ok: Element[]} | Refusal}
 */
export function matches(call, selector, text_contains, wanted = () => true) {
  const bad = refuse_selector('selector', selector);
  if (bad) return bad;
  const space = search_space(document, { fresh: true });
  const found = query_pierced(space.root, space.shadows, selector);
  if (found.length >= MAX_MATCHES) {
    return refuse('payload_too_large', `\`${selector}\` matches ${MAX_MATCHES} elements or more`, {
      selector,
      max_elements: MAX_MATCHES,
      narrowing_hints: ['use a selector that matches fewer elements'],
    });
  }
  const text = text_test(text_contains === undefined ? {} : { text_contains, ignore_case: true }, space);
  const showing = text ? found.filter(text.test) : found;
  if (!text || text.skipped() === 0) {
    const meant = showing.filter(wanted);
    const doubt = meant.length === 0 ? refuse_to_call_absent(call, space.complete, { selector }) : null;
    return doubt ?? { ok: meant };
  }
  return refuse('payload_too_large', `\`${selector}\` matches elements with too much text to compare`, {
    selector,
    too_long_to_compare: text.skipped(),
    narrowing_hints: ['use a selector for smaller elements', 'omit text_contains'],
  });
}
