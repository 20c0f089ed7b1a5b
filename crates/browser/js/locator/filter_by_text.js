// Filters elements by their text.

import { MAX_MATCHES, query_pierced } from '../css/query_pierced.js';
import { composed_parent } from '../tree/composed_parent.js';

/**
 * Keeps the elements that contain the text. Names that only style sheets can change are computed only when nothing else
 * matches. When the locator has nothing but a text, any element may match and the innermost ones are returned.
 *
 * @param {Element[]} elements
 * @param {import('../reading/text_test.js').TextTest | null} text
 * @param {boolean} text_only
 * @param {import('./search_space.js').SearchSpace} space
 * @returns {Element[]}
 */
export function filter_by_text(elements, text, text_only, { root, shadows }) {
  if (!text) return elements;
  let found = elements.filter(text.test);
  if (found.length === 0) found = elements.filter(text.test_name);
  if (!text_only) return found;
  if (found.length === 0) {
    const everything = query_pierced(root, shadows, '*');
    if (everything.length >= MAX_MATCHES) text.overlook();
    found = everything.filter(text.test);
  }
  return innermost(found);
}

/**
 * Removes the elements that contain another element of the list.
 *
 * @param {Element[]} elements
 */
function innermost(elements) {
  const outer = new Set();
  for (const element of elements) {
    for (let at = composed_parent(element); at && !outer.has(at); at = composed_parent(at)) outer.add(at);
  }
  return elements.filter((element) => !outer.has(element));
}
