// `frame.pass`: maps points and rectangles of a frame to the viewport of the document that contains the frame.

import { ok } from '../answer/answer.js';
import { boxes } from '../geometry/boxes.js';
import { hit } from '../geometry/hit.js';
import { intersection, rect_of, union } from '../geometry/rect.js';
import { visible_parts } from '../geometry/visible_parts.js';
import { choose_frame, frame_matrix, refuse_perspective } from './owner.js';

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
  if (!matrix) return refuse_perspective(element);
  const seen = visible_parts(element, boxes(element)).parts;
  const window = seen.length > 0 ? union(seen) : null;

  /** @param {Point} point */
  function outward({ x, y }) {
    const { a, b, c, d, e, f } = /** @type {NonNullable<typeof matrix>} */ (matrix);
    return { x: a * x + c * y + e, y: b * x + d * y + f };
  }

  /** @param {Rect} rect */
  function around({ left, top, right, bottom }) {
    const corners = [
      { x: left, y: top },
      { x: right, y: top },
      { x: left, y: bottom },
      { x: right, y: bottom },
    ].map(outward);
    const xs = corners.map(({ x }) => x);
    const ys = corners.map(({ y }) => y);
    return rect_of(Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys));
  }

  return ok({
    points: points.map(outward).map((point) => (hit(point) === element ? point : null)),
    parts: parts.map((part) => window && intersection(around(part), window)),
    rects: rects.map(around),
  });
}
