// Reads how far containers are scrolled, and waits until they stand still. `null` stands for the viewport.

import { scrolling_element } from '../native/document.js';
import { client_height, client_width, scroll_height, scroll_left, scroll_top, scroll_width } from '../native/element.js';
import { next_frame } from '../wait/next_frame.js';
import { now } from '../wait/now.js';

/** How long to wait for a scroll position to settle, in milliseconds. */
const PATIENCE = 2_000;

/**
 * @typedef {{scroll_x: number, scroll_y: number}} Position
 */

/**
 * @param {Element | null} scroller
 * @returns {Position}
 */
export function scroll_position(scroller) {
  return scroller
    ? { scroll_x: scroll_left(scroller), scroll_y: scroll_top(scroller) }
    : { scroll_x: scrollX, scroll_y: scrollY };
}

/**
 * @param {Position} a
 * @param {Position} b
 */
export function is_same_position(a, b) {
  return a.scroll_x === b.scroll_x && a.scroll_y === b.scroll_y;
}

/**
 * @param {Position[]} positions
 * @param {number} index
 * @returns {Position}
 */
export function position_at(positions, index) {
  return positions[index] ?? { scroll_x: 0, scroll_y: 0 };
}

/**
 * Returns whether the container can scroll further in the direction of the deltas.
 *
 * @param {Element | null} scroller
 * @param {number} delta_x
 * @param {number} delta_y
 */
export function room_left(scroller, delta_x, delta_y) {
  const box = scroller ?? scrolling_element(document);
  if (!box) return false;
  const { scroll_x, scroll_y } = scroll_position(scroller);
  const wide = scroll_width(box) - (scroller ? client_width(box) : innerWidth);
  const high = scroll_height(box) - (scroller ? client_height(box) : innerHeight);
  // Content written from right to left starts at position 0 and scrolls to negative positions.
  const leftward = getComputedStyle(box).direction === 'rtl';
  return more(scroll_x, leftward ? -wide : 0, leftward ? 0 : wide, delta_x) || more(scroll_y, 0, high, delta_y);
}

/**
 * @param {number} at
 * @param {number} least
 * @param {number} most
 * @param {number} delta
 */
function more(at, least, most, delta) {
  // Scroll positions can be fractional, so the end may be missed by less than one pixel.
  if (delta > 0) return at < most - 1;
  return delta < 0 && at > least + 1;
}

/**
 * Waits until no position changes between so many frames in a row.
 *
 * @param {(Element | null)[]} scrollers
 * @param {number} [frames]
 * @returns {Promise<boolean>} whether all positions settled in time
 */
export async function come_to_rest(scrollers, frames = 1) {
  const deadline = now() + PATIENCE;
  let still = 0;
  for (let last = scrollers.map(scroll_position); now() < deadline; ) {
    await next_frame();
    const current = scrollers.map(scroll_position);
    still = current.every((each, index) => is_same_position(each, position_at(last, index))) ? still + 1 : 0;
    if (still >= frames) return true;
    last = current;
  }
  return false;
}

/**
 * @param {Element | null} scroller
 * @param {Position} before
 * @param {Position} after
 * @param {boolean} at_end
 */
export function scroll_result(scroller, before, after, at_end) {
  return {
    moved: !is_same_position(before, after),
    target: scroller ? 'element' : 'viewport',
    before,
    after,
    delta_x: after.scroll_x - before.scroll_x,
    delta_y: after.scroll_y - before.scroll_y,
    at_end,
  };
}
