// `viewport.extent`: measures the document.

import { ok } from '../answer/answer.js';
import { scrolling_element } from '../native/document.js';
import { scroll_height, scroll_width } from '../native/element.js';

/** Returns the width and the height of the whole document. */
export function viewport_extent() {
  const page = scrolling_element(document);
  return ok({
    width: Math.max(innerWidth, page ? scroll_width(page) : 0),
    height: Math.max(innerHeight, page ? scroll_height(page) : 0),
  });
}
