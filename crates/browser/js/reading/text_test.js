// Compiles the text predicates of a locator (`text`, `text_equals`, `text_contains`) into a test.

import { accessible_name } from '../aria/name.js';
import { possibly_named } from '../aria/possibly_named.js';
import { attribute } from '../native/element.js';
import { comparable_text } from './comparable_text.js';
import { loose_pattern } from './loose_pattern.js';
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
 * @param {Pick<Locator, 'text' | 'text_equals' | 'text_contains'>} locator
 * @param {{root: Root, shadows: ShadowRoot[]}} space
 * @returns {TextTest | null} null when the locator has no text predicate
 */
export function text_test(locator, { root, shadows }) {
  const parts = [locator.text, locator.text_contains].filter((text) => text !== undefined).map(comparable_text);
  const whole = locator.text_equals === undefined ? null : comparable_text(locator.text_equals);
  if (parts.length === 0 && whole === null) return null;

  const patterns = [...parts, ...(whole === null ? [] : [whole])].map(loose_pattern);
  /** @type {Set<Element> | null} */
  let named = null;
  let searched = 0;
  let skipped = 0;
  return { test, test_name, overlook, skipped: () => skipped };

  function overlook() {
    skipped += 1;
  }

  /** @param {string} text */
  function fits(text) {
    const comparable = comparable_text(text);
    return (whole === null || comparable === whole) && parts.every((part) => comparable.includes(part));
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
    if (value.length <= MAX_ELEMENT_CHARS) return fits(value);
    overlook();
    return false;
  }

  /** @param {Element} element */
  function may_show(element) {
    const text = text_within(element, shadows.length > 0, Math.min(MAX_ELEMENT_CHARS, MAX_SEARCH_CHARS - searched));
    if (text === null) {
      overlook();
      return false;
    }
    searched += text.length;
    return patterns.every((pattern) => pattern.test(text));
  }

  /** @param {Element} element */
  function shows(element) {
    const { text, painted } = visible_text(element, { max_chars: MAX_ELEMENT_CHARS });
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
