// `action.at_point`: prepares a pointer gesture at a point of the viewport.

import { ok, refuse } from '../answer/answer.js';
import { disabled_reason } from '../facts/disabled_reason.js';
import { summary } from '../facts/summary.js';
import { is_frame } from '../frame/owner.js';
import { hit } from '../geometry/hit.js';
import { expect_wheel } from '../viewport/wheel.js';
import { abandon_gesture, begin_gesture } from './gesture.js';
import { is_equal } from './replacement_check.js';

/**
 * Returns what a pointer at a point hits, and starts watching the gesture that follows.
 *
 * When that is a frame, its own document receives the gesture: the driver must call this function there, and nothing is
 * watched here.
 *
 * @param {{point: Point, enters_frames?: boolean} & import('./gesture.js').GestureArgs} args `enters_frames` is true when
 *   absent
 */
export async function action_at_point({ point, enters_frames = true, ...gesture }) {
  const { x, y } = point;
  if (!(x >= 0 && y >= 0 && x < innerWidth && y < innerHeight)) {
    abandon_gesture(gesture);
    return refuse('point_out_of_viewport', `the point ${x}, ${y} lies outside the viewport`, {
      point,
      viewport: { width: innerWidth, height: innerHeight },
    });
  }
  const met = hit(point);
  const in_frame = enters_frames && met !== null && is_frame(met);
  if (in_frame) abandon_gesture(gesture);
  if (gesture.until === 'wheel') await expect_wheel(met);
  const target = met && summary(met);
  return ok({
    point,
    target,
    disabled: met && disabled_reason(met),
    in_frame,
    listening: in_frame ? null : begin_gesture('anything', gesture, { is_replaced, point }),
  });

  function is_replaced() {
    const other = hit(point);
    return other !== null && other !== met && target !== null && is_equal(other, target);
  }
}
