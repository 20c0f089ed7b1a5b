// Measures the viewport.

import { scrolling_element } from '../native/document.js';
import { client_height, client_width } from '../native/element.js';
import { rect_of } from './rect.js';

/**
 * Returns the rectangle of the viewport without its scroll bars.
 *
 * @returns {Rect}
 */
export function viewport() {
  const scroller = scrolling_element(document);
  const width = scroller ? client_width(scroller) : 0;
  const height = scroller ? client_height(scroller) : 0;
  return rect_of(
    0,
    0,
    width > 0 ? Math.min(width, innerWidth) : innerWidth,
    height > 0 ? Math.min(height, innerHeight) : innerHeight,
  );
}
