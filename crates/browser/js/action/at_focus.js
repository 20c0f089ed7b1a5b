// `action.at_focus`: prepares a key press at the focused element.

import { ok } from '../answer/answer.js';
import { active_element } from '../focus/active_element.js';
import { abandon_gesture, begin_gesture } from './gesture.js';

/**
 * Starts watching for a key at the focused element. When a frame has the focus, its own document receives the key: the
 * driver must call this function there, and nothing is watched here.
 *
 * @param {{enters_frames?: boolean} & import('./gesture.js').GestureArgs} args `enters_frames` is true when absent
 */
export function action_at_focus({ enters_frames = true, ...gesture }) {
  const element = active_element();
  const in_frame =
    enters_frames && (element instanceof HTMLIFrameElement || element instanceof HTMLFrameElement);
  if (in_frame) abandon_gesture(gesture);
  return ok({ in_frame, listening: in_frame ? null : begin_gesture('anything', gesture) });
}
