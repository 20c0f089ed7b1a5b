import { document_query_all, element_query_all, fragment_query_all } from '../native/document.js';

/**
 * Runs a selector in one root, shadow roots below it left alone. Throws what the browser throws for a selector that
 * does not parse.
 *
 * @param {Root} root
 * @param {string} selector
 * @returns {NodeListOf<Element>}
 */
export function query_all(root, selector) {
  if (root instanceof Element) return element_query_all(root, selector);
  if (root instanceof Document) return document_query_all(root, selector);
  return fragment_query_all(root, selector);
}
