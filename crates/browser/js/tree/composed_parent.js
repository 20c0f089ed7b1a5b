import { shadow_host } from '../native/element.js';
import { is_shadow_root } from '../native/kind.js';
import { node_type, parent_node } from '../native/node.js';

/**
 * Gives the parent of a node across shadow boundaries: the host is the parent of what stands at the top of its root.
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
