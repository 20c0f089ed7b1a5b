import { ok, refuse } from '../answer/answer.js';
import { summary } from '../facts/summary.js';
import { is_frame } from '../frame/owner.js';
import { hit } from '../geometry/hit.js';
import { begin_gesture } from './gesture.js';

/**
 * Tells what a pointer at a point of the viewport meets, and begins to watch the gesture that follows.
 *
 * A frame takes the gesture in its own document: it must be asked there, and nothing is watched here.
 *
 * @param {{point: Point} & import('./gesture.js').GestureArgs} args
 */
export function action_at_point({ point, ...gesture }) {
  const { x, y } = point;
  if (!(x >= 0 && y >= 0 && x < innerWidth && y < innerHeight)) {
    return refuse('point_out_of_viewport', `the point ${x}, ${y} lies outside the viewport`, {
      point,
      viewport: { width: innerWidth, height: innerHeight },
    });
  }
  const met = hit(point);
  const in_frame = met !== null && is_frame(met);
  return ok({
    point,
    target: met && summary(met),
    in_frame,
    token: in_frame ? null : begin_gesture(null, gesture),
  });
}
