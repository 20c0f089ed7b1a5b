import { element_matches, previous_element } from '../native/element.js';
import { composed_parent } from '../tree/composed_parent.js';

/**
 * Says whether an element matches a complex selector whose combinators may cross shadow boundaries, from right to
 * left: `my-app button` then finds the button inside the shadow root of `my-app`.
 *
 * @param {Element} element
 * @param {NonNullable<ReturnType<typeof import('./split_compounds.js').split_compounds>>} parts
 * @param {number} [at] the part the element itself must match
 * @returns {boolean}
 */
export function matches_across(element, parts, at = parts.length - 1) {
  const part = parts[at];
  if (!part || !element_matches(element, part.compound)) return false;
  if (at === 0) return true;
  const sideways = part.combinator === '+' || part.combinator === '~';
  const once = part.combinator === '>' || part.combinator === '+';
  const step = sideways ? previous_element : composed_parent;
  for (let next = step(element); next; next = step(next)) {
    if (matches_across(next, parts, at - 1)) return true;
    if (once) return false;
  }
  return false;
}
