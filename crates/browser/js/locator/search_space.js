// Determines which trees a search for elements covers.

import { document_roots } from '../tree/document_roots.js';
import { shadow_roots } from '../tree/shadow_roots.js';

/**
 * @typedef {object} SearchSpace
 * @property {Root} root the root of the search
 * @property {ShadowRoot[]} shadows every reachable shadow root below it
 * @property {boolean} complete false when the page has more elements than the search for shadow roots visits
 * @property {boolean} remembered whether the list of shadow roots comes from an earlier search
 */

/**
 * Returns a root together with the shadow roots below it.
 *
 * @param {Root} root
 * @param {{fresh?: boolean}} [options] `fresh` ignores remembered shadow roots and searches thoroughly
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
