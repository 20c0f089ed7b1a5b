import { bounding_rect, offset_height, offset_width } from '../native/element.js';
import { flat_parent } from '../tree/flat_parent.js';

/**
 * Gives the affine map from the border box of an element, as it is laid out, to the viewport.
 *
 * The turning and stretching come from the transforms around the element; the place from its painted box, whose centre
 * is where the centre of the element goes. Null under perspective or a 3D transform, which no such map describes.
 *
 * @param {HTMLElement} element
 * @returns {DOMMatrix | null}
 */
export function matrix_of(element) {
  let turn = new DOMMatrix();
  for (let /** @type {Element | null} */ at = element; at; at = flat_parent(at)) {
    const own = own_turn(getComputedStyle(at));
    if (!own) return null;
    turn = own.multiply(turn);
  }
  const width = offset_width(element);
  const height = offset_height(element);
  const painted = bounding_rect(element);
  const zoom = zoom_of(turn, width, painted.width, height);
  turn.multiplySelf(new DOMMatrix([zoom, 0, 0, zoom, 0, 0]));
  const centre = turn.transformPoint({ x: width / 2, y: height / 2 });
  turn.e = painted.left + painted.width / 2 - centre.x;
  turn.f = painted.top + painted.height / 2 - centre.y;
  return turn;
}

/**
 * Gives how one element turns and stretches what is in it, without moving it.
 *
 * @param {CSSStyleDeclaration} style
 * @returns {DOMMatrix | null}
 */
function own_turn({ transform, rotate, scale, perspective }) {
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
 * Gives what `zoom` adds: the painted box is that much larger than the transforms alone make it.
 *
 * @param {DOMMatrix} turn
 * @param {number} width
 * @param {number} painted_width
 * @param {number} height
 */
function zoom_of(turn, width, painted_width, height) {
  const expected = Math.abs(turn.a) * width + Math.abs(turn.c) * height;
  return expected > 0 ? painted_width / expected : 1;
}
