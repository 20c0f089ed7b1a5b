// Filters elements by accessible name.

import { accessible_name } from '../aria/name.js';
import { possibly_named } from '../aria/possibly_named.js';
import { text_matcher } from '../reading/text_matcher.js';
import { text_within } from '../reading/text_within.js';

/** The longest text that can be the name of an element. */
const MAX_CHARS = 100_000;

/**
 * Keeps the elements whose accessible name matches the locator.
 *
 * Unless the markup says otherwise, the name of an element is its text, so a cheap text test rules out most elements.
 * Names that only style sheets can produce are computed only when nothing else matches.
 *
 * @param {Element[]} elements
 * @param {Locator} locator
 * @param {{root: Root, shadows: ShadowRoot[]}} space
 * @returns {Element[]}
 */
export function filter_by_name(elements, locator, { root, shadows }) {
  const matcher = text_matcher({
    whole: locator.name,
    parts: [locator.name_contains],
    pattern: locator.name_matches,
    ignore_case: locator.ignore_case,
  });
  if (!matcher) return elements;
  const { fits, may_fit } = matcher;
  const named = elements.length > 8 ? possibly_named(root, shadows) : null;
  const likely = elements.filter((element) => !named || named.has(element) || may_show(element));
  const found = likely.filter(has_name);
  if (found.length > 0 || likely.length === elements.length) return found;
  return elements.filter(has_name);

  /** @param {Element} element */
  function may_show(element) {
    const text = text_within(element, shadows.length > 0, MAX_CHARS);
    return text === null || may_fit(text);
  }

  /** @param {Element} element */
  function has_name(element) {
    return fits(accessible_name(element)) || fits(accessible_name(element, true));
  }
}
