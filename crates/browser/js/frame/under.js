// `frame.under`: maps a point of this viewport into the frame below it.

import { ok } from '../answer/answer.js';
import { hit } from '../geometry/hit.js';
import { from_origin, inverse, project } from '../geometry/projection.js';
import { frame_matrix } from './owner.js';

/**
 * Maps a point of this viewport to the viewport of the given frame element. `point` is null when a pointer there does
 * not enter that frame.
 *
 * @param {{point: Point}} args
 * @param {Call} call
 */
export function frame_under({ point }, { nodes }) {
  const met = hit(point);
  const matrix = met !== null && met === nodes[0] ? frame_matrix(met) : null;
  const inward = matrix && inverse(from_origin(matrix, point));
  const inner = inward && project(inward, { x: 0, y: 0 });
  return ok(inner ? { matrix, point: inner } : { point: null });
}
