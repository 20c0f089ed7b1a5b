import { shadow_host } from '../native/element.js';
import { is_shadow_root } from '../native/kind.js';
import { compare_position, root_node } from '../native/node.js';

/**
 * Compares two elements by their place in the composed tree, for sorting.
 *
 * @param {Element} a
 * @param {Element} b
 * @returns {number}
 */
export function composed_order(a, b) {
  if (a === b) return 0;
  const path_a = host_path(a);
  const path_b = host_path(b);
  const shared = Math.min(path_a.length, path_b.length);
  for (let i = 0; i < shared; i += 1) {
    const at_a = /** @type {Element} */ (path_a[i]);
    const at_b = /** @type {Element} */ (path_b[i]);
    if (at_a === at_b) continue;
    return compare_position(at_a, at_b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
  }
  return path_a.length - path_b.length;
}

/**
 * Gives the hosts around an element, outermost first, and the element itself last.
 *
 * @param {Element} element
 * @returns {Element[]}
 */
function host_path(element) {
  const path = [element];
  for (let root = root_node(element); is_shadow_root(root); root = root_node(shadow_host(root))) {
    path.unshift(shadow_host(root));
  }
  return path;
}
