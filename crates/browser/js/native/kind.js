// Tests for the kind of a node that work for nodes of other documents too: `instanceof` only recognises nodes of its
// own window.

import { local_name, namespace_uri, shadow_host } from './element.js';
import { node_type } from './node.js';

const HTML = 'http://www.w3.org/1999/xhtml';

/**
 * @param {Node} node
 * @returns {node is Element}
 */
export function is_element(node) {
  return node_type(node) === Node.ELEMENT_NODE;
}

/**
 * @param {Node} node
 * @returns {node is Document}
 */
export function is_document(node) {
  return node_type(node) === Node.DOCUMENT_NODE;
}

/**
 * @param {Node} node
 * @returns {node is ShadowRoot}
 */
export function is_shadow_root(node) {
  if (node instanceof ShadowRoot) return true;
  if (node_type(node) !== Node.DOCUMENT_FRAGMENT_NODE) return false;
  try {
    shadow_host(/** @type {ShadowRoot} */ (node));
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the local name of an HTML element; null for SVG, MathML and other elements.
 *
 * @param {Element} element
 * @returns {string | null}
 */
export function html_name(element) {
  return namespace_uri(element) === HTML ? local_name(element) : null;
}
