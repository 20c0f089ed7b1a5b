import { ok } from '../answer/answer.js';
import { describe } from '../facts/describe.js';
import { hit } from '../geometry/hit.js';
import { choose } from '../locator/choose.js';

/**
 * Says whether a pointer at a point of this viewport enters a frame, or meets something that covers it.
 *
 * @param {{locator: Locator, point: Point}} args
 * @param {Call} call
 */
export function frame_hit({ locator, point }, call) {
  const chosen = choose(locator, call);
  if ('error' in chosen) return chosen;
  const met = hit(point);
  const enters = met === chosen.ok.element;
  return ok({ enters, occluded_by: enters || !met ? null : describe(met) });
}
