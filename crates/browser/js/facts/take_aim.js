// Searches for a point where a pointer hits an element.

import { hit } from '../geometry/hit.js';
import { receives } from '../geometry/receives.js';
import { viewport } from '../geometry/viewport.js';
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

/**
 * Returns a point of an element if a pointer hits the element there, or what was hit instead.
 *
 * @param {Element} element
 * @param {Point} point
 * @param {boolean} by_label whether hitting its label counts as hitting the element
 * @returns {ReturnType<typeof take_aim>}
 */
export function aim_at(element, point, by_label) {
  const { left, top, right, bottom } = viewport();
  const is_shown = point.x >= left && point.x < right && point.y >= top && point.y < bottom;
  const met = is_shown ? hit(point) : null;
  const by = receives(element, met, by_label);
  return by ? { point, by, occluder: null } : { point: null, by: null, occluder: met };
}
