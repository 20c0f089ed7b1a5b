// Compiles the text predicates of a locator (`text` and its variants) into a test.

import { accessible_name } from '../aria/name.js';
import { possibly_named } from '../aria/possibly_named.js';
import { attribute } from '../native/element.js';
import { MAX_PATTERN_TEXT } from './pattern.js';
import { text_matcher } from './text_matcher.js';
import { text_within } from './text_within.js';
import { visible_text } from './visible_text.js';

/** The longest text that is compared for one element, and the most text that one search reads. */
const MAX_ELEMENT_CHARS = 2_000_000;
const MAX_SEARCH_CHARS = 40_000_000;

/**
 * @typedef {object} TextTest
 * @property {(element: Element) => boolean} test
 * @property {(element: Element) => boolean} test_name also computes names that only style sheets can change
 * @property {() => void} overlook counts an element as not tested
 * @property {() => number} skipped how many elements were not tested, for example because their text is too long
 */

/**
 * Builds a test of elements against the text predicates of a locator. It compares the visible text, the accessible
 * name, the title and the value, each separately.
 *
 * @param {Pick<Locator, 'text' | 'text_equals' | 'text_contains' | 'text_matches' | 'ignore_case'>} locator
 * @param {{root: Root, shadows: ShadowRoot[]}} space
 * @returns {TextTest | null} null when the locator has no text predicate
 */
export function text_test(locator, { root, shadows }) {
  const matcher = text_matcher({
    whole: locator.text_equals,
    parts: [locator.text, locator.text_contains],
    pattern: locator.text_matches,
    ignore_case: locator.ignore_case,
  });
  if (!matcher) return null;
  const { fits, may_fit } = matcher;
  const max_chars = locator.text_matches === undefined ? MAX_ELEMENT_CHARS : MAX_PATTERN_TEXT;
  /** @type {Set<Element> | null} */
  let named = null;
  let searched = 0;
  let skipped = 0;
  return { test, test_name, overlook, skipped: () => skipped };

  function overlook() {
    skipped += 1;
  }

  /** @param {Element} element */
  function test(element) {
    const title = attribute(element, 'title');
    if (title !== null && fits(title)) return true;
    if (holds(element)) return true;
    if (may_show(element) && shows(element)) return true;
    named ??= possibly_named(root, shadows);
    return named.has(element) && test_name(element);
  }

  /** @param {Element} element */
  function test_name(element) {
    return fits(accessible_name(element));
  }

  /** @param {Element} element */
  function holds(element) {
    const value = comparable_value(element);
    if (value === null) return false;
    if (value.length <= max_chars) return fits(value);
    overlook();
    return false;
  }

  /** @param {Element} element */
  function may_show(element) {
    const text = text_within(element, shadows.length > 0, Math.min(max_chars, MAX_SEARCH_CHARS - searched));
    if (text === null) {
      overlook();
      return false;
    }
    searched += text.length;
    return may_fit(text);
  }

  /** @param {Element} element */
  function shows(element) {
    const { text, painted } = visible_text(element, { max_chars });
    return fits(text) || (painted !== null && fits(painted));
  }
}

/**
 * Returns the value of a control for comparison; never that of a password field.
 *
 * @param {Element} element
 */
function comparable_value(element) {
  if (element instanceof HTMLInputElement) return element.type === 'password' ? null : element.value;
  if (element instanceof HTMLTextAreaElement) return element.value;
  return attribute(element, 'value');
}
