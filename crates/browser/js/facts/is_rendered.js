// Decides whether an element is rendered.

import { bounding_rect, check_visibility } from '../native/element.js';
import { is_connected } from '../native/node.js';
import { flat_parent } from '../tree/flat_parent.js';
import { boxes } from '../geometry/boxes.js';

/**
 * Returns whether an element is painted anywhere in the document, inside or outside the viewport: it has a box with an
 * area and is not hidden. Opacity does not matter: transparent elements still receive events.
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
