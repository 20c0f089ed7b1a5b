// Scrolls elements into view.

import { query_all } from '../css/query_all.js';
import { attribute, bounding_rect, client_rects, element_closest, scroll_into_view } from '../native/element.js';
import { boxes } from '../geometry/boxes.js';
import { total_area, visible_parts } from '../geometry/visible_parts.js';
import { node_type, root_node } from '../native/node.js';
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
