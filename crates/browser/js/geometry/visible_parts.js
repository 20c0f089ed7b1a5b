// Clips the boxes of an element to what is visible.

import { clips } from './clips.js';
import { intersection } from './rect.js';
import { viewport } from './viewport.js';

/**
 * Returns the parts of an element's boxes that neither its ancestors nor the viewport clip, largest first.
 *
 * @param {Element} element
 * @param {Rect[]} boxes
 * @returns {{parts: Rect[], clipped_by: import('./clips.js').Clip[]}}
 */
export function visible_parts(element, boxes) {
  const view = viewport();
  /** @type {import('./clips.js').Clip[]} */
  const clipped_by = [];
  /** @type {Rect[]} */
  let parts = boxes;
  for (const clip of clips(element)) {
    const before = total_area(parts);
    const inside = parts.map((part) => intersection(part, clip.cut)).filter((part) => part !== null);
    if (total_area(inside) < before) clipped_by.push(clip);
    parts = inside;
  }
  parts = parts.map((part) => intersection(part, view)).filter((part) => part !== null);
  return { parts: parts.sort((a, b) => b.width * b.height - a.width * a.height), clipped_by };
}

/**
 * Returns the sum of the areas of rectangles.
 *
 * @param {Rect[]} rects
 * @returns {number}
 */
export function total_area(rects) {
  return rects.reduce((sum, rect) => sum + rect.width * rect.height, 0);
}
