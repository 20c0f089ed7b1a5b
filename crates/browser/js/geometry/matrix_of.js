// Computes where transforms move an element.

import { bounding_rect, offset_height, offset_width } from '../native/element.js';
import { flat_parent } from '../tree/flat_parent.js';

/**
 * Returns the affine map from the untransformed border box of an element to the viewport; null under perspective or a
 * 3D transform, which no affine map describes.
 *
 * The linear part comes from the transforms of the element and its ancestors. The translation follows from the painted
 * box, whose centre is the image of the element's centre.
 *
 * @param {HTMLElement} element
 * @returns {DOMMatrix | null}
 */
export function matrix_of(element) {
  let matrix = new DOMMatrix();
  for (let /** @type {Element | null} */ at = element; at; at = flat_parent(at)) {
    const own = own_linear_part(getComputedStyle(at));
    if (!own) return null;
    matrix = own.multiply(matrix);
  }
  const width = offset_width(element);
  const height = offset_height(element);
  const painted = bounding_rect(element);
  const zoom = zoom_of(matrix, width, painted.width, height);
  matrix.multiplySelf(new DOMMatrix([zoom, 0, 0, zoom, 0, 0]));
  const centre = matrix.transformPoint({ x: width / 2, y: height / 2 });
  matrix.e = painted.left + painted.width / 2 - centre.x;
  matrix.f = painted.top + painted.height / 2 - centre.y;
  return matrix;
}

/**
 * Returns the linear part of an element's own transforms.
 *
 * @param {CSSStyleDeclaration} style
 * @returns {DOMMatrix | null}
 */
function own_linear_part({ transform, rotate, scale, perspective }) {
  if (perspective !== 'none') return null;
  const whole = new DOMMatrix();
  if (rotate !== 'none') {
    if (!/^-?[\d.]+deg$/.test(rotate)) return null;
    whole.rotateSelf(Number.parseFloat(rotate));
  }
  if (scale !== 'none') {
    const [x = 1, y = x, z = 1] = scale.split(' ').map(Number);
    if (z !== 1) return null;
    whole.scaleSelf(x, y);
  }
  if (transform !== 'none' && transform !== '') {
    const matrix = new DOMMatrix(transform);
    if (!matrix.is2D) return null;
    whole.multiplySelf(matrix);
  }
  whole.e = 0;
  whole.f = 0;
  return whole;
}

/**
 * Returns the factor that CSS `zoom` adds to the transforms, derived from the size of the painted box.
 *
 * @param {DOMMatrix} linear
 * @param {number} width
 * @param {number} painted_width
 * @param {number} height
 */
function zoom_of(linear, width, painted_width, height) {
  const expected = Math.abs(linear.a) * width + Math.abs(linear.c) * height;
  return expected > 0 ? painted_width / expected : 1;
}
