// Decides whether an element is hidden from assistive technology.

import { attribute, check_visibility, has_attribute } from '../native/element.js';
import { flat_parent } from '../tree/flat_parent.js';

/**
 * Returns whether an element is hidden from assistive technology: not rendered, not visible, inert, or `aria-hidden`.
 *
 * @param {Element} element
 * @returns {boolean}
 */
export function is_hidden(element) {
  if (!is_shown(element)) return true;
  for (let /** @type {Element | null} */ at = element; at; at = flat_parent(at)) {
    if (attribute(at, 'aria-hidden') === 'true' || has_attribute(at, 'inert')) return true;
  }
  return false;
}

/**
 * Returns whether an element itself is hidden, regardless of its ancestors.
 *
 * @param {Element} element
 * @returns {boolean}
 */
export function hides_itself(element) {
  return attribute(element, 'aria-hidden') === 'true' || !is_shown(element);
}

/** @param {Element} element */
function is_shown(element) {
  if (check_visibility(element, { visibilityProperty: true })) return true;
  // `display: contents` has no box, but its content is shown.
  const style = getComputedStyle(element);
  return style.display === 'contents' && style.visibility === 'visible';
}
