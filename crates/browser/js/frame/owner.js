// `frame.owner`: finds the element that contains a frame and how points map from the frame to this viewport.

import { ok, refuse } from '../answer/answer.js';
import { show } from '../action/scroll_to.js';
import { target_label } from '../facts/describe.js';
import { facts } from '../facts/facts.js';
import { matrix_of } from '../geometry/matrix_of.js';
import { plane_of } from '../geometry/plane_of.js';
import { choose } from '../locator/choose.js';
import { attribute, client_left, client_top, local_name } from '../native/element.js';
import { next_frame } from '../wait/next_frame.js';

/**
 * Finds a frame element and returns the `matrix` that maps points of the frame's viewport to this viewport; null when
 * the frame is seen from its edge.
 *
 * @param {{locator: Locator, reveal?: boolean}} args `reveal` scrolls the frame into view: the browser does not paint
 *   frames that are out of view, so animation frames inside them never fire
 * @param {Call} call
 */
export async function frame_owner({ locator, reveal = false }, call) {
  const chosen = choose_frame(locator, call);
  if ('error' in chosen) return chosen;
  const { element, found } = chosen.ok;
  if (reveal && show(element)) await next_frame();
  const { bounding_box, visibility } = facts(element);
  return ok({
    tag_name: local_name(element),
    name: attribute(element, 'name'),
    src: attribute(element, 'src'),
    bounding_box,
    matrix: frame_matrix(element),
    visibility,
    ...found,
  });
}

/**
 * @param {Locator} locator
 * @param {Call} call
 * @returns {ReturnType<typeof choose>}
 */
export function choose_frame(locator, call) {
  const chosen = choose(locator, call);
  if ('error' in chosen) {
    const { code, message, evidence } = chosen.error;
    return code === 'target_not_found' ? refuse('frame_not_found', message, evidence) : chosen;
  }
  const { element, found } = chosen.ok;
  if (is_frame(element)) return chosen;
  return refuse('frame_not_found', `\`${target_label(element)}\` is not a frame`, { reason: 'not_a_frame', ...found });
}

/**
 * Returns whether an element can contain another document.
 *
 * @param {Element} element
 * @returns {boolean}
 */
export function is_frame(element) {
  return /^(iframe|frame|object|embed|fencedframe)$/.test(local_name(element));
}

/**
 * Returns the map from the viewport of a frame to this viewport; null when the frame is seen from its edge.
 *
 * @param {Element} element
 * @returns {import('../geometry/projection.js').Projection | null}
 */
export function frame_matrix(element) {
  if (!(element instanceof HTMLElement)) return null;
  const style = getComputedStyle(element);
  const right = Number.parseFloat(style.paddingLeft) || 0;
  const down = Number.parseFloat(style.paddingTop) || 0;
  const matrix = matrix_of(element);
  if (matrix) {
    matrix.translateSelf(client_left(element) + right, client_top(element) + down);
    const { a, b, c, d, e, f } = matrix;
    return { a, b, c, d, e, f, g: 0, h: 0 };
  }
  const plane = plane_of(element);
  return plane && shifted(plane, right, down);
}

/**
 * Returns a map for points that count from another corner.
 *
 * @param {import('../geometry/projection.js').Projection} map
 * @param {number} right
 * @param {number} down
 * @returns {import('../geometry/projection.js').Projection}
 */
function shifted({ a, b, c, d, e, f, g, h }, right, down) {
  const w = g * right + h * down + 1;
  return {
    ...{ a: a / w, b: b / w, c: c / w, d: d / w, g: g / w, h: h / w },
    e: (a * right + c * down + e) / w,
    f: (b * right + d * down + f) / w,
  };
}

/**
 * Refuses a frame whose points cannot be mapped to this viewport.
 *
 * @param {Element} element
 */
export function refuse_edgewise(element) {
  return refuse('target_not_actionable', `\`${target_label(element)}\` is seen from its edge, so no point of it can be reached`, {
    reason: 'edgewise',
  });
}
