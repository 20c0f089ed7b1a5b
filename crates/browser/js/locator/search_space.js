import { document_roots } from '../tree/document_roots.js';
import { shadow_roots } from '../tree/shadow_roots.js';

/**
 * @typedef {object} SearchSpace
 * @property {Root} root where candidates are looked for
 * @property {ShadowRoot[]} shadows every reachable shadow root below it
 * @property {boolean} complete false when the page has more elements than the search for shadow roots looks at
 * @property {boolean} remembered whether the shadow roots are those of an earlier search
 */

/**
 * Lays out where candidates are looked for.
 *
 * @param {Root} root
 * @param {{fresh?: boolean}} [options] `fresh` searches for shadow roots even if an earlier search is remembered,
 *   and thoroughly
 * @returns {SearchSpace}
 */
export function search_space(root, { fresh = false } = {}) {
  if (root instanceof Document) {
    const { roots: shadows, complete, remembered } = document_roots({ fresh });
    return { root, shadows, complete, remembered };
  }
  const { roots: shadows, complete } = shadow_roots(root, { thorough: fresh });
  return { root, shadows, complete, remembered: false };
}
