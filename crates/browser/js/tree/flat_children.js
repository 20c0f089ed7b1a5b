// The children of an element in the flat tree, which is the tree that the browser renders.

import { assigned_nodes, local_name } from '../native/element.js';
import { first_child, next_sibling } from '../native/node.js';
import { shadow_of } from './shadow_of.js';

/**
 * Returns the rendered children of an element: those of its shadow root, the nodes assigned to a slot, the summary of a
 * closed `details`, or its own children.
 *
 * @param {Element} element
 * @returns {Node[]}
 */
export function flat_children(element) {
  if (element instanceof HTMLSlotElement) {
    const assigned = assigned_nodes(element);
    if (assigned.length > 0) return assigned;
  }
  const children = [];
  const closed = element instanceof HTMLDetailsElement && !element.open;
  for (let child = first_child(shadow_of(element) ?? element); child; child = next_sibling(child)) {
    if (closed && !(child instanceof Element && local_name(child) === 'summary')) continue;
    children.push(child);
    if (closed) break;
  }
  return children;
}
