// The parent of a node in the flat tree, which is the tree that the browser renders.

import { assigned_slot, text_assigned_slot } from '../native/element.js';
import { node_type } from '../native/node.js';
import { composed_parent } from './composed_parent.js';

/**
 * Returns the rendered parent of a node. The parent of a slotted node is its slot.
 *
 * @param {Node} node
 * @returns {Element | null}
 */
export function flat_parent(node) {
  switch (node_type(node)) {
    case Node.ELEMENT_NODE:
      return assigned_slot(/** @type {Element} */ (node)) ?? composed_parent(node);
    case Node.TEXT_NODE:
      return text_assigned_slot(/** @type {Text} */ (node)) ?? composed_parent(node);
    default:
      return composed_parent(node);
  }
}
