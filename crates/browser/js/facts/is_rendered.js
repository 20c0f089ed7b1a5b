import { bounding_rect, check_visibility } from '../native/element.js';
import { is_connected } from '../native/node.js';
import { flat_parent } from '../tree/flat_parent.js';
import { boxes } from '../geometry/boxes.js';

/**
 * Says whether an element is painted somewhere in the document, in the viewport or not: it has a box with area and is
 * not made invisible. Opacity is another matter: what is transparent still takes part.
 *
 * @param {Element} element
 * @returns {boolean}
 */
export function is_rendered(element) {
  if (check_visibility(element, { visibilityProperty: true })) {
    const rect = bounding_rect(element);
    return (rect.width > 0 && rect.height > 0) || boxes(element).length > 0;
  }
  if (!is_connected(element)) return false;
  if (element instanceof HTMLAreaElement) return boxes(element).length > 0;
  if (getComputedStyle(element).display !== 'contents') return false;
  const parent = flat_parent(element);
  return parent !== null && check_visibility(box_of(parent)) && boxes(element).length > 0;
}

/** @param {Element} element */
function box_of(element) {
  let at = element;
  while (getComputedStyle(at).display === 'contents') {
    const parent = flat_parent(at);
    if (!parent) break;
    at = parent;
  }
  return at;
}
