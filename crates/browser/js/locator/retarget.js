// Applies the `retarget` key of a locator.

import { query_pierced } from '../css/query_pierced.js';
import { refuse_selector } from '../css/refuse_selector.js';
import { split_alternatives } from '../css/split_alternatives.js';
import { composed_closest } from '../tree/composed_closest.js';
import { shadow_roots } from '../tree/shadow_roots.js';

/**
 * Replaces each element by the related elements that `retarget` names: first up to `closest`, then down to `selector`.
 *
 * @param {Element[]} elements
 * @param {Locator} locator
 * @returns {{ok: Element[]} | Refusal}
 */
export function retarget(elements, locator) {
  if (!locator.retarget) return { ok: elements };
  const { closest, selector } = locator.retarget;
  const bad = refuse_selector('retarget.closest', closest) ?? refuse_selector('retarget.selector', selector);
  if (bad) return bad;
  /** @type {Set<Element>} */
  const found = new Set();
  for (const element of elements) {
    const base = closest === undefined ? element : composed_closest(element, closest);
    if (!base) continue;
    if (selector === undefined) found.add(base);
    else for (const match of query_below(base, selector)) found.add(match);
  }
  return { ok: [...found] };
}

/**
 * @param {Element} base
 * @param {string} selector
 */
function query_below(base, selector) {
  const { roots } = shadow_roots(base);
  return split_alternatives(selector).flatMap((part) => query_pierced(base, roots, part));
}
