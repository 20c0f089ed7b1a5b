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
  if (element instanceof HTMLElement) focus_html(element, { preventScroll: true });
  else if (element instanceof SVGElement) focus_svg(element, { preventScroll: true });
  return composed_contains(element, active_element());
}
