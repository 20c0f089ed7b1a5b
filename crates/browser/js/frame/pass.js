// `frame.pass`: maps points and rectangles of a frame to the viewport of the document that contains the frame.

import { ok } from '../answer/answer.js';
import { boxes } from '../geometry/boxes.js';
import { hit } from '../geometry/hit.js';
import { project } from '../geometry/projection.js';
import { intersection, rect_of, union } from '../geometry/rect.js';
import { visible_parts } from '../geometry/visible_parts.js';
import { choose_frame, frame_matrix, refuse_edgewise } from './owner.js';

/**
 * Maps positions in a frame's viewport to this viewport, without scrolling.
 *
 * A point is null when a pointer there does not enter the frame, because it is covered or out of view. `parts` are
 * clipped to the visible part of the frame and are null when nothing remains. `rects` are mapped without clipping.
 *
 * @param {{locator: Locator, points: Point[], parts: Rect[], rects: Rect[]}} args
 * @param {Call} call
 */
export function frame_pass({ locator, points, parts, rects }, call) {
  const chosen = choose_frame(locator, call);
  if ('error' in chosen) return chosen;
  const { element } = chosen.ok;
  const matrix = frame_matrix(element);
  if (!matrix) return refuse_edgewise(element);
  const seen = visible_parts(element, boxes(element)).parts;
  const window = seen.length > 0 ? union(seen) : null;

  const outward = (/** @type {Point} */ point) => project(matrix, point);

  /**
   * @param {Rect} rect
   * @returns {Rect | null} null when a part of it lies behind the viewer
   */
  function around({ left, top, right, bottom }) {
    const corners = [
      { x: left, y: top },
      { x: right, y: top },
      { x: left, y: bottom },
      { x: right, y: bottom },
    ].map(outward);
    const seen = corners.filter((corner) => corner !== null);
    if (seen.length < corners.length) return null;
    const xs = seen.map(({ x }) => x);
    const ys = seen.map(({ y }) => y);
    return rect_of(Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys));
  }

  /** @param {Rect} part */
  function visible(part) {
    const mapped = window && around(part);
    return window && mapped && intersection(mapped, window);
  }

  return ok({
    points: points.map(outward).map((point) => (point && hit(point) === element ? point : null)),
    parts: parts.map(visible),
    rects: rects.map(around),
  });
}
