import { ok } from '../answer/answer.js';
import { scrolling_element } from '../native/document.js';
import { scroll_height, scroll_width } from '../native/element.js';

/**
 * Tells how large the whole document is.
 */
export function viewport_extent() {
  const page = scrolling_element(document);
  return ok({
    width: Math.max(innerWidth, page ? scroll_width(page) : 0),
    height: Math.max(innerHeight, page ? scroll_height(page) : 0),
  });
}
