// Scrolls elements into view.

import { query_all } from '../css/query_all.js';
import {
  attribute,
  bounding_rect,
  client_rects,
  element_closest,
  element_scroll_by,
  scroll_into_view,
} from '../native/element.js';
import { scrolling_element } from '../native/document.js';
import { boxes } from '../geometry/boxes.js';
import { point_within } from '../geometry/point_within.js';
import { total_area, visible_parts } from '../geometry/visible_parts.js';
import { node_type, root_node } from '../native/node.js';
import { viewport } from '../geometry/viewport.js';
import { containers_of } from '../viewport/containers.js';
import { flat_children } from '../tree/flat_children.js';

/** @type {ScrollIntoViewOptions[]} */
export const PLACEMENTS = [
  { block: 'center', inline: 'nearest', behavior: 'instant' },
  { block: 'center', inline: 'center', behavior: 'instant' },
  { block: 'end', inline: 'end', behavior: 'instant' },
  { block: 'start', inline: 'start', behavior: 'instant' },
];

/**
 * Scrolls every container around an element, without smooth scrolling even if the page's style asks for it, and returns
 * whether the element moved.
 *
 * @param {Element} element
 * @param {ScrollIntoViewOptions} placement
 * @returns {boolean}
 */
export function scroll_to(element, placement) {
  const boxed = nearest_box(element);
  const before = bounding_rect(boxed);
  scroll_into_view(boxed, placement);
  const after = bounding_rect(boxed);
  return before.left !== after.left || before.top !== after.top;
}

/**
 * Scrolls every container around an element that does not show a point of it, until it does, and returns whether the
 * element moved. The point comes to the middle of what the container shows.
 *
 * @param {Element} element
 * @param {Point} offset from the top left corner of the element
 * @returns {boolean}
 */
export function scroll_point_to(element, offset) {
  const before = bounding_rect(element);
  for (const container of containers_of(element)) {
    const point = point_within(element, offset);
    const scroller = container ?? scrolling_element(document);
    if (!point || !scroller) break;
    const { left, top, right, bottom } = container ? bounding_rect(container) : viewport();
    const across = point.x < left || point.x >= right ? point.x - (left + right) / 2 : 0;
    const down = point.y < top || point.y >= bottom ? point.y - (top + bottom) / 2 : 0;
    if (across || down) element_scroll_by(scroller, { left: across, top: down, behavior: 'instant' });
  }
  const after = bounding_rect(element);
  return before.left !== after.left || before.top !== after.top;
}

/**
 * Returns the element, or the first descendant that has a box, because only boxes can be scrolled to.
 *
 * @param {Element} element
 * @returns {Element}
 */
function nearest_box(element) {
  if (element instanceof HTMLAreaElement) {
    const map = element_closest(element, 'map');
    const user = map && `#${attribute(map, 'name')}`;
    const root = /** @type {Root} */ (root_node(element));
    return [...query_all(root, 'img[usemap]')].find((image) => attribute(image, 'usemap') === user) ?? element;
  }
  /** @type {Element[]} */
  const pending = [element];
  for (let steps = 0; steps < 100; steps += 1) {
    const at = pending.shift();
    if (!at) break;
    if (client_rects(at).length > 0) return at;
    for (const child of flat_children(at)) {
      if (node_type(child) === Node.ELEMENT_NODE) pending.push(/** @type {Element} */ (child));
    }
  }
  return element;
}

/**
 * Scrolls an element to the centre if it is not entirely visible.
 *
 * @param {Element} element
 * @returns {boolean} whether it moved
 */
export function show(element) {
  const painted = boxes(element);
  const { parts } = visible_parts(element, painted);
  const whole = total_area(parts) >= total_area(painted) * 0.98;
  return whole ? false : scroll_to(element, /** @type {ScrollIntoViewOptions} */ (PLACEMENTS[0]));
}
