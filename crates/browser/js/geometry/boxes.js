// Measures the boxes that an element paints.

import { create_range } from '../native/document.js';
import { attribute, bounding_rect, check_visibility, client_rects } from '../native/element.js';
import { query_all } from '../css/query_all.js';
import { node_type, root_node } from '../native/node.js';
import { flat_children } from '../tree/flat_children.js';
import { rect_of } from './rect.js';

/** How many boxes of an element are measured: lines of a link, or children of an element without a box. */
const MAX_BOXES = 64;

/**
 * Returns the boxes an element paints, in viewport pixels, without empty ones.
 *
 * An element without a box of its own (`display: contents`, or zero size with overflowing content) has the boxes of its
 * content. An `area` has the region of its image that it describes.
 *
 * @param {Element} element
 * @returns {Rect[]}
 */
export function boxes(element) {
  if (element instanceof HTMLAreaElement) return area_boxes(element);
  const own = with_area(client_rects(element));
  if (own.length > 0) return own;
  const { overflowX, overflowY, display } = getComputedStyle(element);
  const spills = display === 'contents' || (overflowX === 'visible' && overflowY === 'visible');
  return spills ? content_boxes(element, { left: MAX_BOXES }) : [];
}

/**
 * @param {Element} element
 * @param {{left: number}} budget
 * @returns {Rect[]}
 */
function content_boxes(element, budget) {
  /** @type {Rect[]} */
  const found = [];
  for (const child of flat_children(element)) {
    if (budget.left <= 0) break;
    budget.left -= 1;
    if (node_type(child) === Node.TEXT_NODE) {
      const range = create_range(document);
      range.selectNodeContents(child);
      found.push(...with_area(range.getClientRects()));
    } else if (node_type(child) === Node.ELEMENT_NODE) {
      const inner = /** @type {Element} */ (child);
      const own = check_visibility(inner, { visibilityProperty: true }) ? with_area(client_rects(inner)) : [];
      found.push(...(own.length > 0 ? own : content_boxes(inner, budget)));
    }
  }
  return found.slice(0, MAX_BOXES);
}

/**
 * Returns the bounding box of the shape that an `area` defines on its image.
 *
 * @param {HTMLAreaElement} area
 * @returns {Rect[]}
 */
function area_boxes(area) {
  const name = area.closest('map')?.name;
  if (!name) return [];
  const root = /** @type {Root} */ (root_node(area));
  const images = Array.from(query_all(root, 'img[usemap],object[usemap]'));
  const image = images.find((candidate) => attribute(candidate, 'usemap') === `#${name}`);
  if (!image) return [];
  const frame = bounding_rect(image);
  const numbers = area.coords.split(',').map(Number);
  if (numbers.some(Number.isNaN)) return [];
  const [a = 0, b = 0, c = 0, d = 0] = numbers;
  switch (area.shape.toLowerCase()) {
    case 'default':
      return [rect_of(frame.left, frame.top, frame.right, frame.bottom)];
    case 'circle':
    case 'circ':
      return [rect_of(frame.left + a - c, frame.top + b - c, frame.left + a + c, frame.top + b + c)];
    case 'poly':
    case 'polygon': {
      const xs = numbers.filter((_, index) => index % 2 === 0);
      const ys = numbers.filter((_, index) => index % 2 === 1);
      if (xs.length === 0 || ys.length === 0) return [];
      const left = frame.left + Math.min(...xs);
      const top = frame.top + Math.min(...ys);
      return [rect_of(left, top, frame.left + Math.max(...xs), frame.top + Math.max(...ys))];
    }
    default:
      return [rect_of(frame.left + a, frame.top + b, frame.left + c, frame.top + d)];
  }
}

/**
 * @param {DOMRectList} list
 * @returns {Rect[]}
 */
function with_area(list) {
  /** @type {Rect[]} */
  const found = [];
  for (let i = 0; i < list.length && i < MAX_BOXES; i += 1) {
    const rect = /** @type {DOMRect} */ (list[i]);
    if (rect.width > 0 && rect.height > 0) found.push(rect_of(rect.left, rect.top, rect.right, rect.bottom));
  }
  return found;
}
