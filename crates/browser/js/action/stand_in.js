// Finds the button or link that stands for a part of it which takes no pointer events.

import { composed_closest } from '../tree/composed_closest.js';

/** The elements that stand for their parts. */
const CONTROLS = 'button, a[href], summary, [role="button"], [role="link"], [role="menuitem"], [role="tab"], [role="option"]';

/**
 * Returns the button or link around an element that takes no pointer events, such as the icon of a button; null when
 * the element takes them itself or nothing around it does.
 *
 * @param {Element} element
 * @returns {Element | null}
 */
export function stand_in(element) {
  if (takes_events(element)) return null;
  const control = composed_closest(element, CONTROLS);
  return control && control !== element && takes_events(control) ? control : null;
}

/** @param {Element} element */
function takes_events(element) {
  return getComputedStyle(element).pointerEvents !== 'none';
}
