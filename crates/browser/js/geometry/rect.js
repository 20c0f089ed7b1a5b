// Rectangles.

/**
 * Builds a rectangle from its edges, rounded to a hundredth of a pixel.
 *
 * @param {number} left
 * @param {number} top
 * @param {number} right
 * @param {number} bottom
 * @returns {Rect}
 */
export function rect_of(left, top, right, bottom) {
  const edges = [left, top, right, bottom].map((edge) => Math.round(edge * 100) / 100);
  const [l = 0, t = 0, r = 0, b = 0] = edges;
  return { x: l, y: t, width: round(r - l), height: round(b - t), left: l, top: t, right: r, bottom: b };
}

/**
 * Returns the intersection of two rectangles; null when it has no area.
 *
 * @param {Rect} a
 * @param {Rect} b
 * @returns {Rect | null}
 */
export function intersection(a, b) {
  const left = Math.max(a.left, b.left);
  const top = Math.max(a.top, b.top);
  const right = Math.min(a.right, b.right);
  const bottom = Math.min(a.bottom, b.bottom);
  return right > left && bottom > top ? rect_of(left, top, right, bottom) : null;
}

/**
 * Returns the smallest rectangle that contains all given ones.
 *
 * @param {Rect[]} rects
 * @returns {Rect}
 */
export function union(rects) {
  if (rects.length === 0) return rect_of(0, 0, 0, 0);
  return rect_of(
    Math.min(...rects.map((rect) => rect.left)),
    Math.min(...rects.map((rect) => rect.top)),
    Math.max(...rects.map((rect) => rect.right)),
    Math.max(...rects.map((rect) => rect.bottom)),
  );
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 100) / 100;
}
