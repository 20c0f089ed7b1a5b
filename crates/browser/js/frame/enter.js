// `frame.enter`: prepares a pointer gesture at a point inside a frame, as seen from the document that contains the
// frame.

import { ok } from '../answer/answer.js';
import { abandon_gesture, begin_gesture } from '../action/gesture.js';
import { describe } from '../facts/describe.js';
import { clips } from '../geometry/clips.js';
import { hit } from '../geometry/hit.js';
import { project } from '../geometry/projection.js';
import { viewport } from '../geometry/viewport.js';
import { element_scroll_by, scroll_left, scroll_top } from '../native/element.js';
import { expect_wheel } from '../viewport/wheel.js';
import { next_frame } from '../wait/next_frame.js';
import { choose_frame, frame_matrix, refuse_edgewise } from './owner.js';

/**
 * Scrolls a point of a frame into view, maps it to this viewport, and returns whether a pointer there enters the frame
 * or hits an element that covers it.
 *
 * Events of a gesture that enters the frame are not dispatched in this document. If one arrives here, the gesture
 * missed the frame: the sentry then blocks it, and the confirmation reports that.
 *
 * @param {{locator: Locator, point: Point} & import('../action/gesture.js').GestureArgs} args `point` in the viewport
 *   of the frame
 * @param {Call} call
 */
export async function frame_enter({ locator, point, ...gesture }, call) {
  const chosen = choose_frame(locator, call);
  if ('error' in chosen) {
    abandon_gesture(gesture);
    return chosen;
  }
  const { element } = chosen.ok;
  const refuse_and_abandon = () => {
    abandon_gesture(gesture);
    return refuse_edgewise(element);
  };
  let mapped = map(element, point);
  if (!mapped) return refuse_and_abandon();
  const scrolled = reveal(element, mapped);
  if (scrolled) {
    // The browser process learns the new position of a frame one animation frame after the page.
    await next_frame();
    await next_frame();
    mapped = map(element, point);
    if (!mapped) return refuse_and_abandon();
  }
  const met = hit(mapped);
  const enters = met === element;
  if (!enters) abandon_gesture(gesture);
  if (gesture.until === 'wheel') await expect_wheel(element);
  return ok({
    enters,
    point: mapped,
    matrix: frame_matrix(element),
    scrolled,
    occluded_by: enters || !met ? null : describe(met),
    listening: enters ? begin_gesture('nothing', gesture) : null,
  });
}

/**
 * @param {Element} element
 * @param {Point} point
 * @returns {Point | null}
 */
function map(element, point) {
  const matrix = frame_matrix(element);
  return matrix && project(matrix, point);
}

/**
 * Scrolls the containers around a frame, then the viewport, until the point is visible in each of them.
 *
 * @param {Element} element
 * @param {Point} point
 * @returns {boolean} whether anything moved
 */
function reveal(element, point) {
  let { x, y } = point;
  let scrolled = false;
  const around = clips(element).map(({ element: container, rect }) => ({ container, rect }));
  for (const { container, rect } of [...around, { container: null, rect: viewport() }]) {
    if (x >= rect.left && x < rect.right && y >= rect.top && y < rect.bottom) continue;
    const left = x - (rect.left + rect.right) / 2;
    const top = y - (rect.top + rect.bottom) / 2;
    const before = container ? [scroll_left(container), scroll_top(container)] : [scrollX, scrollY];
    if (container) element_scroll_by(container, { left, top, behavior: 'instant' });
    else scrollBy({ left, top, behavior: 'instant' });
    const after = container ? [scroll_left(container), scroll_top(container)] : [scrollX, scrollY];
    x -= (after[0] ?? 0) - (before[0] ?? 0);
    y -= (after[1] ?? 0) - (before[1] ?? 0);
    scrolled ||= x !== point.x || y !== point.y;
  }
  return scrolled;
}
