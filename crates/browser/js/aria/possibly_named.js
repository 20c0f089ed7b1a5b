import { query_pierced } from '../css/query_pierced.js';
import { composed_parent } from '../tree/composed_parent.js';

/** What can give an element, or something it is in, a name other than its text. */
const NAMING = `[aria-label], [aria-labelledby], [alt], [title], [placeholder], [aria-owns], [label], [aria-placeholder],
  input, select, textarea, meter, progress, svg title, svg text, details, iframe, slot`;

/**
 * Finds every element whose accessible name may differ from its text by what the document says: the elements that have
 * such a source of names in them, and controls with labels. Style sheets alone can change the names of the others.
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
