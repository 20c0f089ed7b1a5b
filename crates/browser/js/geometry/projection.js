// Maps points between two planes, such as the viewport of a frame and the viewport around it.

/**
 * A map between planes: `x' = (a·x + c·y + e) / w` and `y' = (b·x + d·y + f) / w` with `w = g·x + h·y + 1`. Without
 * perspective `g` and `h` are 0, and the others are those of the CSS function `matrix()`.
 *
 * @typedef {{a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number}} Projection
 */

/** The least `w` of a point in front of the viewer. Points near the vanishing line have no usable image. */
const NEAREST = 1e-6;

/**
 * Returns the image of a point; null when it lies behind the viewer.
 *
 * @param {Projection} map
 * @param {Point} point
 * @returns {Point | null}
 */
export function project({ a, b, c, d, e, f, g, h }, { x, y }) {
  const w = g * x + h * y + 1;
  if (!(w > NEAREST)) return null;
  return { x: (a * x + c * y + e) / w, y: (b * x + d * y + f) / w };
}

/**
 * Returns a map whose images count from another origin.
 *
 * @param {Projection} map
 * @param {Point} origin
 * @returns {Projection}
 */
export function from_origin({ a, b, c, d, e, f, g, h }, { x, y }) {
  return { a: a - x * g, b: b - y * g, c: c - x * h, d: d - y * h, e: e - x, f: f - y, g, h };
}

/**
 * Returns the map that leads back; null when the plane is seen from its edge. It is right for the images of points on
 * the same side of the vanishing line as the origin of the images.
 *
 * @param {Projection} map
 * @returns {Projection | null}
 */
export function inverse({ a, b, c, d, e, f, g, h }) {
  const scale = a * d - b * c;
  if (!(Math.abs(scale) > 1e-9)) return null;
  return {
    a: (d - f * h) / scale,
    b: (f * g - b) / scale,
    c: (e * h - c) / scale,
    d: (a - e * g) / scale,
    e: (c * f - e * d) / scale,
    f: (b * e - a * f) / scale,
    g: (b * h - d * g) / scale,
    h: (c * g - a * h) / scale,
  };
}

/**
 * Returns the map that takes four points to four others; null when there is none, as when three of them are in a line.
 *
 * @param {Point[]} from
 * @param {Point[]} to
 * @returns {Projection | null}
 */
export function projection_of(from, to) {
  /** @type {number[][]} */
  const rows = [];
  from.forEach(({ x, y }, index) => {
    const image = to[index];
    if (!image) return;
    rows.push([x, y, 1, 0, 0, 0, -x * image.x, -y * image.x, image.x]);
    rows.push([0, 0, 0, x, y, 1, -x * image.y, -y * image.y, image.y]);
  });
  const solved = solve(rows);
  if (!solved) return null;
  const [a = 0, c = 0, e = 0, b = 0, d = 0, f = 0, g = 0, h = 0] = solved;
  return { a, b, c, d, e, f, g, h };
}

/**
 * Solves linear equations by elimination. The last number of a row is its right side.
 *
 * @param {number[][]} rows
 * @returns {number[] | null} null when they have no single solution
 */
function solve(rows) {
  const count = rows.length;
  for (let column = 0; column < count; column += 1) {
    let best = column;
    for (let row = column + 1; row < count; row += 1) {
      if (Math.abs(entry(rows, row, column)) > Math.abs(entry(rows, best, column))) best = row;
    }
    const pivot = entry(rows, best, column);
    if (!(Math.abs(pivot) > 1e-9)) return null;
    const chosen = /** @type {number[]} */ (rows[best]).map((value) => value / pivot);
    rows[best] = /** @type {number[]} */ (rows[column]);
    rows[column] = chosen;
    rows.forEach((row, index) => {
      const factor = row[column] ?? 0;
      if (index !== column && factor !== 0) rows[index] = row.map((value, at) => value - factor * (chosen[at] ?? 0));
    });
  }
  return rows.map((row) => row[count] ?? 0);
}

/**
 * @param {number[][]} rows
 * @param {number} row
 * @param {number} column
 */
function entry(rows, row, column) {
  return rows[row]?.[column] ?? 0;
}
