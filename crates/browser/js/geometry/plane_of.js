// Finds where perspective and 3D transforms move an element.

import { bounding_rect } from '../native/element.js';
import { dispatch, listen, unlisten } from '../native/node.js';
import { from_origin, inverse, project, projection_of } from './projection.js';

/** Places within the painted box at which the browser is asked, as fractions of its width and height. */
const ASKED = [
  [0.1, 0.1],
  [0.9, 0.15],
  [0.85, 0.9],
  [0.15, 0.85],
];

/** How far the map may be from what the browser says of the centre, in pixels. */
const TOLERANCE = 0.5;

/**
 * Returns the map from the padding box of an element to the viewport. The browser itself tells where points of the
 * viewport lie in the element, as it does for every pointer event. Four points determine the map; a fifth one checks it.
 *
 * @param {Element} element
 * @returns {import('./projection.js').Projection | null} null when the element is seen from its edge
 */
export function plane_of(element) {
  const { left, top, width, height } = bounding_rect(element);
  if (!(width > 0 && height > 0)) return null;
  // Points count from the centre of the painted box, which is on the near side of the vanishing line.
  const centre = { x: left + width / 2, y: top + height / 2 };
  const points = ASKED.map(([across = 0, down = 0]) => ({ x: width * (across - 0.5), y: height * (down - 0.5) }));
  const [known, ...places] = places_in(element, centre, [{ x: 0, y: 0 }, ...points]);
  const inward = projection_of(points, places);
  const found = inward && project(inward, { x: 0, y: 0 });
  if (!inward || !found || !known) return null;
  if (Math.hypot(found.x - known.x, found.y - known.y) > TOLERANCE) return null;
  const outward = inverse(inward);
  return outward && from_origin(outward, { x: -centre.x, y: -centre.y });
}

/**
 * Returns where points of the viewport lie in the padding box of an element. The event that carries a point has a name
 * that no page listens for.
 *
 * @param {Element} element
 * @param {Point} centre
 * @param {Point[]} points that count from the centre
 * @returns {Point[]}
 */
function places_in(element, centre, points) {
  const name = `place-${Math.random().toString(36).slice(2)}`;
  /** @type {Point[]} */
  const places = [];
  listen(element, name, note);
  for (const { x, y } of points) {
    dispatch(element, new PointerEvent(name, { clientX: centre.x + x, clientY: centre.y + y }));
  }
  unlisten(element, name, note);
  return places;

  /** @param {Event} event */
  function note(event) {
    const { offsetX: x, offsetY: y } = /** @type {PointerEvent} */ (event);
    places.push({ x, y });
  }
}
