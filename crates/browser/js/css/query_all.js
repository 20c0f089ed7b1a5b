// Runs a selector in one root.

import { document_query_all, element_query_all, fragment_query_all } from '../native/document.js';
import { is_document, is_element } from '../native/kind.js';

/**
 * Runs a selector in one root, without entering shadow roots. Throws the browser's error when the selector does not
 * parse.
 *
 * @param {Root} root
 * @param {string} selector
 * @returns {NodeListOf<Element>}
 */
export function query_all(root, selector) {
  if (is_element(root)) return element_query_all(root, selector);
  if (is_document(root)) return document_query_all(root, selector);
  return fragment_query_all(root, selector);
}
