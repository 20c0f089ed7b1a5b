// Moves the keyboard focus and checks where it is.

import { document_body, has_focus } from '../native/document.js';
import { focus_html, focus_svg } from '../native/element.js';
import { composed_contains } from '../tree/composed_contains.js';
import { active_element } from './active_element.js';

/**
 * Focuses an element without scrolling and returns whether the element, or one inside it, then has the focus.
 *
 * @param {Element} element
 * @returns {boolean}
 */
export function give_focus(element) {
  // In a frame that does not have the focus, `element.focus()` alone would not move the keyboard there.
  if (!has_focus(document)) window.focus();
  if (element instanceof HTMLElement) focus_html(element, { preventScroll: true });
  else if (element instanceof SVGElement) focus_svg(element, { preventScroll: true });
  return composed_contains(element, active_element());
}

/**
 * Returns whether an element, or one inside it, receives keyboard input. `body` is the active element when nothing else
 * is, so it counts only while the document itself has the focus.
 *
 * @param {Element} element
 * @returns {boolean}
 */
export function holds_focus(element) {
  const active = active_element();
  if (!composed_contains(element, active)) return false;
  return active !== document_body(document) || has_focus(document);
}
