// Narrows down which elements need a full name computation.

import { query_pierced } from '../css/query_pierced.js';
import { composed_parent } from '../tree/composed_parent.js';

/** Elements and attributes that can make the name of an element, or of an ancestor, differ from its text. */
const NAMING = `[aria-label], [aria-labelledby], [alt], [title], [placeholder], [aria-owns], [label], [aria-placeholder],
  input, select, textarea, meter, progress, svg title, svg text, details, iframe, slot`;

/**
 * Returns every element whose accessible name may differ from its text because of the markup: elements that contain
 * such a source of names, and labelled controls. The names of all others can only be changed by style sheets.
 *
 * @param {Root} root
 * @param {ShadowRoot[]} shadows
 * @returns {Set<Element>}
 */
export function possibly_named(root, shadows) {
  /** @type {Set<Element>} */
  const found = new Set();
  for (const element of query_pierced(root, shadows, NAMING)) {
    for (let /** @type {Element | null} */ at = element; at && !found.has(at); at = composed_parent(at)) found.add(at);
  }
  for (const label of query_pierced(root, shadows, 'label')) {
    const control = label instanceof HTMLLabelElement ? label.control : null;
    if (control) found.add(control);
  }
  return found;
}
