// Finds elements by selector and text for the primitives that observe the page.

import { refuse } from '../answer/answer.js';
import { MAX_MATCHES, query_pierced } from '../css/query_pierced.js';
import { refuse_selector } from '../css/refuse_selector.js';
import { search_space } from '../locator/search_space.js';
import { refuse_to_call_absent } from '../locator/unreachable.js';
import { text_test } from '../reading/text_test.js';

/**
 * Returns every element that matches a selector and has the wanted texts, in document order. It refuses to report "none"
 * while a closed shadow root may contain one.
 *
 * @param {Call} call
 * @param {string} selector
 * @param {{text_contains?: string | undefined, text_equals?: string | undefined}} [texts] compared as in a locator, but
 *   `text_contains` without regard to case
 * @param {(element: Element) => boolean} [wanted] a further condition; every element passes when absent
 * @returns {{ok: Element[]} | Refusal}
 */
export function matches(call, selector, { text_contains, text_equals } = {}, wanted = () => true) {
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
  const part = text_test(text_contains === undefined ? {} : { text_contains, ignore_case: true }, space);
  const whole = text_test(text_equals === undefined ? {} : { text_equals }, space);
  const tests = [part, whole].filter((text) => text !== null);
  const showing = found.filter((element) => tests.every((text) => text.test(element)));
  const skipped = tests.reduce((sum, text) => sum + text.skipped(), 0);
  if (skipped === 0) {
    const meant = showing.filter(wanted);
    const doubt = meant.length === 0 ? refuse_to_call_absent(call, space.complete, { selector }) : null;
    return doubt ?? { ok: meant };
  }
  return refuse('payload_too_large', `\`${selector}\` matches elements with too much text to compare`, {
    selector,
    too_long_to_compare: skipped,
    narrowing_hints: ['use a selector for smaller elements', 'omit text_contains and text_equals'],
  });
}
