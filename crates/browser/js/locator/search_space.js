import { shadow_roots } from '../tree/shadow_roots.js';

/**
 * @typedef {object} SearchSpace
 * @property {Root} root where candidates are looked for
 * @property {ShadowRoot[]} shadows every reachable shadow root below it
 * @property {boolean} complete false when the page has more elements than the search for shadow roots looks at
 */

/**
 * Lays out where candidates are looked for.
 *
 * @param {Root} root
 * @returns {SearchSpace}
 */
export function search_space(root) {
  const { roots: shadows, complete } = shadow_roots(root);
  return { root, shadows, complete };
}
