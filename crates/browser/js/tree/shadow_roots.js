// Finds the shadow roots in a tree.

import { create_tree_walker } from '../native/document.js';
import { is_element } from '../native/kind.js';
import { shadow_of } from './shadow_of.js';

/** How many elements a search visits, and how many a thorough one. */
const MAX_VISITED = 150_000;
const MAX_VISITED_THOROUGHLY = 2_000_000;

/**
 * Returns every reachable shadow root under a root, nested ones included.
 *
 * @param {Root} root
 * @param {{thorough?: boolean}} [options] `thorough` also covers the largest pages, at the cost of time
 * @returns {{roots: ShadowRoot[], complete: boolean}}
 */
export function shadow_roots(root, { thorough = false } = {}) {
  /** @type {ShadowRoot[]} */
  const roots = [];
  let left = thorough ? MAX_VISITED_THOROUGHLY : MAX_VISITED;
  /** @type {Root[]} */
  const pending = [root];
  const own = is_element(root) ? shadow_of(root) : null;
  if (own) {
    roots.push(own);
    pending.push(own);
  }
  for (let at = pending.pop(); at; at = pending.pop()) {
    // No selector matches shadow hosts; a tree walker is the cheapest way to visit every element.
    const walker = create_tree_walker(document, at, NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      left -= 1;
      if (left < 0) return { roots, complete: false };
      const found = shadow_of(/** @type {Element} */ (node));
      if (!found) continue;
      roots.push(found);
      pending.push(found);
    }
  }
  return { roots, complete: true };
}
