import { ok, refuse } from '../answer/answer.js';
import { target_label } from '../facts/describe.js';
import { facts } from '../facts/facts.js';
import { rect_of } from '../geometry/rect.js';
import { choose } from '../locator/choose.js';
import {
  attribute,
  bounding_rect,
  client_left,
  client_top,
  local_name,
  offset_height,
  offset_width,
} from '../native/element.js';
import { flat_parent } from '../tree/flat_parent.js';

/**
 * Finds the element that holds a frame and tells where the frame's own viewport lies in this one.
 *
 * @param {{locator: Locator}} args
 * @param {Call} call
 */
export function frame_owner({ locator }, call) {
  const chosen = choose(locator, call);
  if ('error' in chosen) {
    const { code, message, evidence } = chosen.error;
    return code === 'target_not_found' ? refuse('frame_not_found', message, evidence) : chosen;
  }
  const { element, found } = chosen.ok;
  if (!is_frame(element)) {
    return refuse('frame_not_found', `\`${target_label(element)}\` is not a frame`, {
      reason: 'not_a_frame',
      ...found,
    });
  }
  const { bounding_box, visibility } = facts(element);
  return ok({
    tag_name: local_name(element),
    name: attribute(element, 'name'),
    src: attribute(element, 'src'),
    bounding_box,
    ...content_box(/** @type {HTMLElement} */ (element)),
    visibility,
    ...found,
  });
}

/** @param {Element} element */
export function is_frame(element) {
  return /^(iframe|frame|object|embed|fencedframe)$/.test(local_name(element));
}

/**
 * Gives the box in which the frame is shown. Under a rotation or a skew there is no such upright box: `upright` is false
 * then, and the browser must be asked for the corners.
 *
 * @param {HTMLElement} element
 */
function content_box(element) {
  const outer = bounding_rect(element);
  const style = getComputedStyle(element);
  const scale_x = ratio(outer.width, offset_width(element));
  const scale_y = ratio(outer.height, offset_height(element));
  const left = outer.left + (client_left(element) + pixels(style.paddingLeft)) * scale_x;
  const top = outer.top + (client_top(element) + pixels(style.paddingTop)) * scale_y;
  const right = outer.right - (pixels(style.borderRightWidth) + pixels(style.paddingRight)) * scale_x;
  const bottom = outer.bottom - (pixels(style.borderBottomWidth) + pixels(style.paddingBottom)) * scale_y;
  return {
    content_box: rect_of(left, top, right, bottom),
    scale: { x: scale_x, y: scale_y },
    upright: is_upright(element),
  };
}

/**
 * @param {number} painted
 * @param {number} laid_out
 */
function ratio(painted, laid_out) {
  return laid_out > 0 ? painted / laid_out : 1;
}

/** @param {string} length */
function pixels(length) {
  return Number.parseFloat(length) || 0;
}

/**
 * Says whether nothing around an element rotates, skews or tilts it.
 *
 * @param {Element} element
 */
function is_upright(element) {
  for (let /** @type {Element | null} */ at = element; at; at = flat_parent(at)) {
    const { transform, rotate, perspective } = getComputedStyle(at);
    if (rotate !== 'none' || perspective !== 'none') return false;
    if (transform === 'none' || transform === '') continue;
    const { is2D, a, b, c, d } = new DOMMatrixReadOnly(transform);
    if (!is2D || b !== 0 || c !== 0 || a <= 0 || d <= 0) return false;
  }
  return true;
}
