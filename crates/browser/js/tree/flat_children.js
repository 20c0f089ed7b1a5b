import { assigned_nodes } from '../native/element.js';
import { first_child, next_sibling } from '../native/node.js';
import { shadow_of } from './shadow_of.js';

/**
 * Gives the children of an element in the tree that is rendered: those of its shadow root, what is assigned to it
 * when it is a slot, or its own.
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
  for (let child = first_child(shadow_of(element) ?? element); child; child = next_sibling(child)) children.push(child);
  return children;
}
