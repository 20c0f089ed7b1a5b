// Matches complex selectors across shadow boundaries.

import { element_matches, previous_element } from '../native/element.js';
import { composed_parent } from '../tree/composed_parent.js';

/**
 * Builds a test for a complex selector whose combinators may cross shadow boundaries: `my-app button` then matches the
 * button inside the shadow root of `my-app`. It matches from right to left.
 *
 * Results are cached per element and part; without the cache, the number of paths to try would multiply with every
 * part.
 *
 * @param {NonNullable<ReturnType<typeof import('./split_compounds.js').split_compounds>>} parts
 * @returns {(element: Element) => boolean}
 */
export function matcher_across(parts) {
  /** @type {Map<Element, boolean>[]} */
  const matching = parts.map(() => new Map());
  /** @type {Map<Element, boolean>[]} */
  const leading = parts.map(() => new Map());
  return (element) => matches(element, parts.length - 1);

  /**
   * @param {Element} element
   * @param {number} at the part the element itself must match
   * @returns {boolean}
   */
  function matches(element, at) {
    const known = matching[at]?.get(element);
    if (known !== undefined) return known;
    const part = parts[at];
    const found = part !== undefined && element_matches(element, part.compound) && (at === 0 || leads(element, at));
    matching[at]?.set(element, found);
    return found;
  }

  /**
   * Returns whether following the combinator before a part leads to an element that matches the remaining parts.
   *
   * @param {Element} element
   * @param {number} at
   * @returns {boolean}
   */
  function leads(element, at) {
    const combinator = parts[at]?.combinator;
    const step = combinator === '+' || combinator === '~' ? previous_element : composed_parent;
    const once = combinator === '>' || combinator === '+';
    const passed = [element];
    let found = leading[at]?.get(element);
    for (let next = step(element); next && found === undefined; next = step(next)) {
      if (matches(next, at - 1)) found = true;
      else if (once) found = false;
      else {
        found = leading[at]?.get(next);
        passed.push(next);
      }
    }
    for (const each of passed) leading[at]?.set(each, found ?? false);
    return found ?? false;
  }
}
