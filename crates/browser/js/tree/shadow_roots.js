import { query_all } from '../css/query_all.js';
import { shadow_of } from './shadow_of.js';

/** How many elements one search for shadow roots looks at. */
const MAX_VISITED = 400_000;

/**
 * Finds every reachable shadow root under a root, nested ones included, hosts in tree order.
 *
 * @param {Root} root
 * @returns {{roots: ShadowRoot[], complete: boolean}}
 */
export function shadow_roots(root) {
  /** @type {ShadowRoot[]} */
  const roots = [];
  let visited = 0;
  /** @type {Root[]} */
  const pending = [root];
  if (root instanceof Element) {
    const own = shadow_of(root);
    if (own) {
      roots.push(own);
      pending.push(own);
    }
  }
  for (let at = pending.pop(); at; at = pending.pop()) {
    const elements = query_all(at, '*');
    for (let i = 0; i < elements.length; i += 1) {
      if (visited === MAX_VISITED) return { roots, complete: false };
      visited += 1;
      const found = shadow_of(/** @type {Element} */ (elements[i]));
      if (!found) continue;
      roots.push(found);
      pending.push(found);
    }
  }
  return { roots, complete: true };
}
