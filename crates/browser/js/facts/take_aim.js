// Searches for a point where a pointer hits an element.

import { hit } from '../geometry/hit.js';
import { receives } from '../geometry/receives.js';
import { sample_points } from '../geometry/sample_points.js';

/**
 * Returns the first sample point at which a pointer hits an element, or the first other element that was hit instead.
 *
 * @param {Element} element
 * @param {Rect[]} parts the visible parts of the element
 * @param {boolean} by_label whether hitting its label counts as hitting the element
 * @returns {{point: Point | null, by: Facts['received_by'], occluder: Element | null}}
 */
export function take_aim(element, parts, by_label) {
  /** @type {Element | null} */
  let occluder = null;
  for (const point of sample_points(parts)) {
    const met = hit(point);
    const by = receives(element, met, by_label);
    if (by) return { point, by, occluder: null };
    occluder ??= met;
  }
  return { point: null, by: null, occluder };
}
