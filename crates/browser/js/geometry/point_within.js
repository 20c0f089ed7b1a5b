// Finds a point of an element by its distance from the element's top left corner.

import { bounding_rect } from '../native/element.js';

/**
 * Returns the point of the viewport that is so far from the top left corner of an element, on a whole pixel if there is
 * one; null when the element does not reach that far.
 *
 * @param {Element} element
 * @param {Point} offset
 * @returns {Point | null}
 */
export function point_within(element, { x, y }) {
  const { left, top, right, bottom } = bounding_rect(element);
  if (left + x >= right || top + y >= bottom) return null;
  return { x: whole_pixel(left + x, right), y: whole_pixel(top + y, bottom) };
}

/**
 * Returns the next whole pixel if it lies before the end, because browsers round the positions of mouse events down.
 *
 * @param {number} exact
 * @param {number} end
 */
function whole_pixel(exact, end) {
  const whole = Math.ceil(exact);
  return whole < end ? whole : Math.round(exact * 100) / 100;
}
