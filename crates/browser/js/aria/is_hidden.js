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
 * Returns how much of an element is hidden, regardless of `aria-hidden` and `inert` on its ancestors: everything; only
 * its own text, because `visibility` hides it and descendants can be visible again; or nothing.
 *
 * @param {Element} element
 * @returns {'everything' | 'own text' | 'nothing'}
 */
export function hidden_part(element) {
  if (attribute(element, 'aria-hidden') === 'true') return 'everything';
  if (is_shown(element)) return 'nothing';
  const rendered = check_visibility(element) || getComputedStyle(element).display === 'contents';
  return rendered ? 'own text' : 'everything';
}

/** @param {Element} element */
function is_shown(element) {
  if (check_visibility(element, { visibilityProperty: true })) return true;
  // `display: contents` has no box, but its content is shown.
  const style = getComputedStyle(element);
  return style.display === 'contents' && style.visibility === 'visible';
}
