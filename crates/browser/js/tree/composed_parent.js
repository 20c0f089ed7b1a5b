// `parentElement` across shadow boundaries.

import { shadow_host } from '../native/element.js';
import { is_shadow_root } from '../native/kind.js';
import { node_type, parent_node } from '../native/node.js';

/**
 * Returns the parent element of a node. The parent of a top-level node of a shadow root is the host.
 *
 * @param {Node} node
 * @returns {Element | null}
 */
export function composed_parent(node) {
  const parent = parent_node(node);
  if (!parent) return null;
  switch (node_type(parent)) {
    case Node.ELEMENT_NODE:
      return /** @type {Element} */ (parent);
    case Node.DOCUMENT_FRAGMENT_NODE:
      return is_shadow_root(parent) ? shadow_host(parent) : null;
    default:
      return null;
  }
}
