// Hit testing.

import { document_point, shadow_point } from '../native/document.js';
import { root_node } from '../native/node.js';
import { shadow_of } from '../tree/shadow_of.js';

/**
 * Returns the element that a pointer at a point of the viewport hits, inside shadow roots too.
 *
 * @param {Point} point
 * @returns {Element | null}
 */
export function hit(point) {
  let found = document_point(document, point.x, point.y);
  while (found) {
    const root = shadow_of(found);
    const inner = root && shadow_point(root, point.x, point.y);
    if (!inner || inner === found || root_node(inner) !== root) return found;
    found = inner;
  }
  return null;
}
