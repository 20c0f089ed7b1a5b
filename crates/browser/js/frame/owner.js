import { ok, refuse } from '../answer/answer.js';
import { show } from '../action/scroll_to.js';
import { target_label } from '../facts/describe.js';
import { facts } from '../facts/facts.js';
import { matrix_of } from '../geometry/matrix_of.js';
import { choose } from '../locator/choose.js';
import { attribute, client_left, client_top, local_name } from '../native/element.js';
import { next_frame } from '../wait/next_frame.js';

/**
 * Finds the element that holds a frame and tells how the frame's own viewport lies in this one: a point of the frame
 * goes through `matrix` (as CSS writes it: `x' = a·x + c·y + e`, `y' = b·x + d·y + f`). Under perspective there is no
 * matrix, and the browser must be asked for the corners.
 *
 * @param {{locator: Locator, reveal?: boolean}} args `reveal` brings the frame into view: what is out of view is not
 *   painted, and a frame that is not painted has no frames to wait for
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
 * Says whether an element shows another document.
 *
 * @param {Element} element
 * @returns {boolean}
 */
export function is_frame(element) {
  return /^(iframe|frame|object|embed|fencedframe)$/.test(local_name(element));
}

/**
 * Gives the map from the viewport of a frame to this one.
 *
 * @param {Element} element
 * @returns {{a: number, b: number, c: number, d: number, e: number, f: number} | null}
 */
export function frame_matrix(element) {
  if (!(element instanceof HTMLElement)) return null;
  const matrix = matrix_of(element);
  if (!matrix) return null;
  const style = getComputedStyle(element);
  matrix.translateSelf(
    client_left(element) + (Number.parseFloat(style.paddingLeft) || 0),
    client_top(element) + (Number.parseFloat(style.paddingTop) || 0),
  );
  const { a, b, c, d, e, f } = matrix;
  return { a, b, c, d, e, f };
}

/**
 * Refuses a frame that has no map to this viewport.
 *
 * @param {Element} element
 */
export function refuse_perspective(element) {
  return refuse('target_not_actionable', `\`${target_label(element)}\` is shown in perspective`, {
    reason: 'perspective',
  });
}
