// Reads a single value from a node.

import { base_uri, document_element } from '../native/document.js';
import { attribute, bounding_rect, inner_text, tag_name } from '../native/element.js';
import { html_name, is_document, is_element } from '../native/kind.js';
import { node_text } from '../native/node.js';
import { held_value } from '../form/held_value.js';
import { rect_of } from '../geometry/rect.js';
import { checked_state } from '../form/checked_state.js';
import { text_fits } from '../reading/text_fits.js';
import { LIMITS } from './ledger.js';

/**
 * @typedef {object} Reading the state that all readers of one call and document share
 * @property {import('./ledger.js').Ledger} ledger
 * @property {boolean} pierce whether the document has shadow roots
 * @property {boolean} vast whether the document has so much text that a single element may exceed the limit of one
 *   value
 */

/**
 * @typedef {(node: Node) => unknown} NodeReader
 */

/**
 * Builds the reader of one value: an attribute, one of the supported properties, or the rendered text. The reader
 * returns null when the node has no such value.
 *
 * @param {Pick<ExtractField, 'attribute' | 'property' | 'trim'>} field
 * @param {Reading} reading
 * @param {string} path
 * @returns {NodeReader}
 */
export function node_reader(field, reading, path) {
  const read = untrimmed_reader(field, reading, path);
  if (!field.trim) return read;
  return (node) => {
    const value = read(node);
    return typeof value === 'string' ? value.trim() : value;
  };
}

/**
 * @param {Pick<ExtractField, 'attribute' | 'property'>} field
 * @param {Reading} reading
 * @param {string} path
 * @returns {NodeReader}
 */
function untrimmed_reader({ attribute: name, property }, reading, path) {
  const { ledger } = reading;
  if (name !== undefined) return of_element((element) => ledger.text(attribute(element, name), path));
  switch (property) {
    case 'textContent':
      return (node) => text_of(node, false, reading, path);
    case 'value':
      return of_element((element) => value_of(element, reading, path));
    case 'checked':
      return of_element(checked_state);
    case 'className':
      return of_element((element) => ledger.text(attribute(element, 'class') ?? '', path));
    case 'tagName':
      return of_element((element) => ledger.text(tag_name(element), path));
    case 'ariaLabel':
      return of_element((element) => ledger.text(attribute(element, 'aria-label'), path));
    case 'href':
    case 'src':
    case 'action':
      return of_element((element) => ledger.text(absolute(element, attribute(element, property)), path));
    case 'boundingClientRect':
      return of_element((element) => {
        const { left, top, right, bottom } = bounding_rect(element);
        return rect_of(left, top, right, bottom);
      });
    default:
      return (node) => text_of(node, true, reading, path);
  }
}

/**
 * The absolute address that an attribute stands for; the attribute itself when it is no address.
 *
 * @param {Element} element
 * @param {string | null} address
 */
function absolute(element, address) {
  if (address === null) return null;
  try {
    return new URL(address, base_uri(element)).href;
  } catch {
    return address;
  }
}

/**
 * Builds a reader that accepts elements, uses the root element for a document, and returns null for other nodes.
 *
 * @param {(element: Element) => unknown} read
 * @returns {NodeReader}
 */
function of_element(read) {
  return (node) => {
    if (is_element(node)) return read(node);
    const root = is_document(node) ? document_element(node) : null;
    return root ? read(root) : null;
  };
}

/**
 * @param {Node} node
 * @param {boolean} rendered
 * @param {Reading} reading
 * @param {string} path
 */
function text_of(node, rendered, { ledger, vast }, path) {
  const element = is_document(node) ? document_element(node) : node;
  if (!element) return null;
  if (vast && !text_fits(element, LIMITS.value_chars)) return ledger.stop(path, 'value_chars', LIMITS.value_chars);
  const text = rendered && is_element(element) && html_name(element) !== null ? inner_text(/** @type {HTMLElement} */ (element)) : node_text(element);
  return ledger.text(text, path);
}

/**
 * @param {Element} element
 * @param {Reading} reading
 * @param {string} path
 */
function value_of(element, { ledger }, path) {
  if (html_name(element) === 'input' && /** @type {HTMLInputElement} */ (element).type === 'password') return null;
  const { value, too_long } = held_value(element, LIMITS.value_chars);
  return too_long ? ledger.stop(path, 'value_chars', LIMITS.value_chars) : ledger.text(value, path);
}
