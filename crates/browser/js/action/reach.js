// Scrolls an element into view and waits until it stops moving.

import { facts } from '../facts/facts.js';
import { hit } from '../geometry/hit.js';
import { receives } from '../geometry/receives.js';
import { bounding_rect } from '../native/element.js';
import { is_connected } from '../native/node.js';
import { next_frame } from '../wait/next_frame.js';
import { now } from '../wait/now.js';
import { has_been_at_rest } from '../wait/rest.js';
import { is_being_moved } from './is_being_moved.js';
import { is_endlessly_animated } from './is_endlessly_animated.js';
import { motion_left } from './motion_left.js';
import { PLACEMENTS, scroll_point_to, scroll_to } from './scroll_to.js';

/** How long after the end of an animation its element may take to stand, in milliseconds: two frames. */
const REST = 34;

/**
 * @typedef {object} Reach
 * @property {Facts} facts the facts after scrolling
 * @property {Facts} initial the facts before scrolling
 * @property {boolean} scrolled
 * @property {boolean} stable whether the element did not move between the last two frames
 * @property {boolean} connected
 */

/**
 * Makes an element reachable for a pointer: scrolls it to the centre when it is not entirely visible or not hit, and
 * waits until it does not move between two frames. An element that has been still for a while needs no wait.
 *
 * A finite animation is awaited to its end. An element that never stops moving counts as reached when the same point
 * hits it in two consecutive frames; `stable` is then false.
 *
 * @param {Element} element
 * @param {{scroll: boolean, stable_ms: number, deadline: number, by_label?: boolean, part?: Element, offset?: Point | null}} options
 *   `deadline` on the document's clock; `by_label`, `part` and `offset` as in `facts`
 * @returns {Promise<Reach>}
 */
export async function reach(element, { scroll, stable_ms, deadline, by_label = true, part = element, offset = null }) {
  const look = () => facts(element, { by_label, part, offset });
  const bring = (/** @type {number} */ index) => (offset ? scroll_point_to(part, offset) : scroll_to(part, place(index)));
  const initial = look();
  let current = initial;
  let scrolled = false;
  let stable = false;
  let placement = 0;
  let rest_by = Math.min(now() + stable_ms, deadline);
  let knows_motion = false;
  const in_place = (offset || initial.visibility.fully_visible) && initial.visibility.receives_events;
  if (in_place && has_been_at_rest(part))
    return { facts: initial, initial, scrolled, stable: true, connected: true };
  const wants_scroll = scroll && !in_place;
  if (wants_scroll && initial.visibility.rendered) {
    scrolled = bring(placement);
    placement += 1;
    if (scrolled) current = look();
  }
  while (current.visibility.rendered) {
    const aim = current.visibility.action_point;
    const before = bounding_rect(part);
    await next_frame();
    if (!is_connected(element)) return { facts: look(), initial, scrolled, stable: false, connected: false };
    stable = same_place(before, bounding_rect(part)) && !is_being_moved(part);
    current = look();
    const { receives_events } = current.visibility;
    if (stable && receives_events) break;
    if (!stable) {
      if (!knows_motion) rest_by = Math.min(Math.max(rest_by, now() + motion_left(part) + REST), deadline);
      knows_motion = true;
      const out_of_time = now() >= rest_by;
      const met_twice = aim !== null && receives(element, hit(aim), by_label) !== null;
      if (met_twice && (out_of_time || is_endlessly_animated(element))) {
        current = { ...current, visibility: { ...current.visibility, action_point: aim } };
        break;
      }
      if (out_of_time) break;
      continue;
    }
    if (!scroll || placement === PLACEMENTS.length || now() >= deadline) break;
    scrolled = bring(placement) || scrolled;
    placement += 1;
    current = look();
  }
  return { facts: current, initial, scrolled, stable, connected: true };
}

/** @param {number} index */
function place(index) {
  return /** @type {ScrollIntoViewOptions} */ (PLACEMENTS[index]);
}

/**
 * @param {DOMRect} a
 * @param {DOMRect} b
 */
function same_place(a, b) {
  const near = (/** @type {number} */ x, /** @type {number} */ y) => Math.abs(x - y) < 0.01;
  return near(a.left, b.left) && near(a.top, b.top) && near(a.width, b.width) && near(a.height, b.height);
}
