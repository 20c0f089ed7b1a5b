// Finds the elements that `aria-labelledby` refers to.

import { document_by_id, fragment_by_id } from '../native/document.js';
import { attribute, labelled_by_elements } from '../native/element.js';
import { root_node } from '../native/node.js';

/**
 * Returns the elements that name an element, in order. Ids refer to the same tree. A script can also set the elements
 * themselves, which leaves the attribute empty and reaches out of a shadow tree.
 *
 * @param {Element} element
 * @returns {readonly Element[]}
 */
export function label_elements(element) {
  const ids = attribute(element, 'aria-labelledby');
  if (ids === null) return [];
  return ids === '' ? (labelled_by_elements(element) ?? []) : elements_by_ids(element, ids);
}

/**
 * Returns the elements with the given ids in the tree of an element, in the order of the ids.
 *
 * @param {Element} element
 * @param {string} ids separated by white space
 * @returns {Element[]}
 */
export function elements_by_ids(element, ids) {
  const root = root_node(element);
  return ids
    .trim()
    .split(/\s+/)
    .map((id) => {
      if (root instanceof Document) return document_by_id(root, id);
      return root instanceof DocumentFragment ? fragment_by_id(root, id) : null;
    })
    .filter((found) => found !== null);
}
