// `contains` across shadow boundaries.

import { node_contains } from '../native/node.js';
import { composed_parent } from './composed_parent.js';

/**
 * Returns whether a node is an element or one of its descendants, shadow roots included.
 *
 * @param {Element} element
 * @param {Node | null} node
 * @returns {boolean}
 */
export function composed_contains(element, node) {
  if (!node) return false;
  if (node_contains(element, node)) return true;
  for (let at = composed_parent(node); at; at = composed_parent(at)) if (at === element) return true;
  return false;
}
