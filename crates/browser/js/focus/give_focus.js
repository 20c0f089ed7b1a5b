import { has_focus } from '../native/document.js';
import { focus_html, focus_svg } from '../native/element.js';
import { composed_contains } from '../tree/composed_contains.js';
import { active_element } from './active_element.js';

/**
 * Moves the focus to an element without scrolling, and tells whether it, or something in it, holds the focus then.
 *
 * @param {Element} element
 * @returns {boolean}
 */
export function give_focus(element) {
  // A frame that does not have the focus yet would keep it to itself.
  if (!has_focus(document)) window.focus();
  if (element instanceof HTMLElement) focus_html(element, { preventScroll: true });
  else if (element instanceof SVGElement) focus_svg(element, { preventScroll: true });
  return holds_focus(element);
}

/**
 * Says whether an element, or something in it, holds the focus of the page.
 *
 * @param {Element} element
 * @returns {boolean}
 */
export function holds_focus(element) {
  return has_focus(document) && composed_contains(element, active_element());
}
