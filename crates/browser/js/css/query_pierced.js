// Runs a selector in a tree and in all shadow roots below it.

import { composed_runs } from '../tree/composed_runs.js';
import { matcher_across } from './matches_across.js';
import { query_all } from './query_all.js';
import { split_alternatives } from './split_alternatives.js';
import { split_compounds } from './split_compounds.js';

/** The largest number of matches that a query returns. */
export const MAX_MATCHES = 100_000;

/**
 * Runs a selector in a root and in the shadow roots below it and returns the matches in the order of the composed tree.
 * Throws the browser's error when the selector does not parse.
 *
 * @param {Root} root
 * @param {ShadowRoot[]} shadows
 * @param {string} selector
 * @returns {Element[]}
 */
export function query_pierced(root, shadows, selector) {
  const matches = take(query_all(root, selector));
  if (shadows.length === 0) return matches;
  const crossing = crossing_alternatives(selector);
  /** @type {Map<Root, Iterable<Element>>} */
  const runs = new Map([[root, matches]]);
  let left = MAX_MATCHES - matches.length;
  for (const shadow of shadows) {
    const found = new Set(take(query_all(shadow, selector)));
    const plain = found.size;
    for (const { matches_across, last } of crossing) {
      for (const element of take(query_all(shadow, last))) if (matches_across(element)) found.add(element);
    }
    if (found.size === 0) continue;
    // Matches across the boundary were appended at the end, so put the list back into document order.
    const run = found.size > plain ? take(query_all(shadow, '*')).filter((element) => found.has(element)) : [...found];
    runs.set(shadow, run.slice(0, left));
    left -= Math.min(left, run.length);
  }
  return runs.size > 1 ? composed_runs(root, runs) : matches;
}

/**
 * Splits the alternatives whose combinators may cross a shadow boundary into their parts.
 *
 * @param {string} selector
 */
function crossing_alternatives(selector) {
  const crossing = [];
  for (const alternative of split_alternatives(selector)) {
    // These pseudo-classes refer to the root they are evaluated in, so they must not cross into another root.
    if (/:scope|:host|:root/.test(alternative)) continue;
    const parts = split_compounds(alternative);
    const last = parts?.at(-1);
    if (parts && last && parts.length > 1) crossing.push({ matches_across: matcher_across(parts), last: last.compound });
  }
  return crossing;
}

/**
 * @param {NodeListOf<Element>} list
 * @returns {Element[]}
 */
function take(list) {
  return list.length <= MAX_MATCHES ? Array.from(list) : Array.prototype.slice.call(list, 0, MAX_MATCHES);
}
