// `frame.under`: maps a point of this viewport into the frame below it.

import { ok } from '../answer/answer.js';
import { hit } from '../geometry/hit.js';
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
  if (!matrix) return ok({ point: null });
  const { a, b, c, d, e, f } = matrix;
  const determinant = a * d - b * c;
  if (determinant === 0) return ok({ point: null });
  const x = point.x - e;
  const y = point.y - f;
  return ok({ matrix, point: { x: (d * x - c * y) / determinant, y: (a * y - b * x) / determinant } });
}
