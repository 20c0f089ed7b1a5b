// Chooses the points of an element to hit-test.

/** How many parts and points of an element are tested. */
const MAX_PARTS = 4;
const MAX_POINTS = 40;

/** Positions within a part, as fractions of its width and height: the centre, then rings further out. */
const PLACES = [
  [0.5, 0.5],
  [0.25, 0.5],
  [0.75, 0.5],
  [0.5, 0.25],
  [0.5, 0.75],
  [0.25, 0.25],
  [0.75, 0.25],
  [0.25, 0.75],
  [0.75, 0.75],
  [0.05, 0.5],
  [0.95, 0.5],
  [0.5, 0.05],
  [0.5, 0.95],
  [0.05, 0.05],
  [0.95, 0.05],
  [0.05, 0.95],
  [0.95, 0.95],
];

/**
 * Returns the points to test in the visible parts of an element, the centre of the largest part first.
 *
 * @param {Rect[]} parts
 * @returns {Point[]}
 */
export function sample_points(parts) {
  /** @type {Point[]} */
  const points = [];
  for (const part of parts.slice(0, MAX_PARTS)) {
    for (const [across = 0, down = 0] of PLACES) {
      points.push({ x: whole_pixel(part.left, part.width, across), y: whole_pixel(part.top, part.height, down) });
    }
  }
  return points.slice(0, MAX_POINTS);
}

/**
 * Returns the point at a fraction of a length, on a whole pixel if the length contains one, because browsers round the
 * positions of mouse events.
 *
 * @param {number} start
 * @param {number} length
 * @param {number} share
 */
function whole_pixel(start, length, share) {
  const exact = start + length * share;
  const whole = Math.floor(exact);
  return whole >= start && whole < start + length ? whole : Math.round(exact * 100) / 100;
}
