import { document_element } from '../native/document.js';
import { attribute, bounding_rect, inner_text } from '../native/element.js';
import { node_text, node_type } from '../native/node.js';
import { held_value } from '../form/held_value.js';
import { rect_of } from '../geometry/rect.js';
import { checked_state } from '../form/checked_state.js';
import { text_fits } from '../reading/text_fits.js';
import { LIMITS } from './ledger.js';

/**
 * Reads one value from a node: an attribute, a property of the short list, or the rendered text. Null when the node has
 * none.
 *
 * @param {Node} node
 * @param {Pick<ExtractField, 'attribute' | 'property'>} field
 * @param {import('./ledger.js').Ledger} ledger
 * @param {string} path
 * @returns {unknown}
 */
export function read_node(node, field, ledger, path) {
  const element = node_type(node) === Node.DOCUMENT_NODE ? document_element(document) : node;
  if (!(element instanceof Element)) return text_of(node, false, ledger, path);
  if (field.attribute !== undefined) return take(attribute(element, field.attribute), ledger, path);
  switch (field.property) {
    case 'textContent':
      return text_of(element, false, ledger, path);
    case 'value':
      return value_of(element, ledger, path);
    case 'checked':
      return checked_state(element);
    case 'ariaLabel':
      return take(attribute(element, 'aria-label'), ledger, path);
    case 'boundingClientRect': {
      const { left, top, right, bottom } = bounding_rect(element);
      return rect_of(left, top, right, bottom);
    }
    default:
      return text_of(element, true, ledger, path);
  }
}

/**
 * @param {Node} node
 * @param {boolean} rendered
 * @param {import('./ledger.js').Ledger} ledger
 * @param {string} path
 */
function text_of(node, rendered, ledger, path) {
  if (!text_fits(node, LIMITS.value_chars)) {
    ledger.stop(path, 'value_chars');
    return null;
  }
  const text = rendered && node instanceof HTMLElement ? inner_text(node) : node_text(node);
  return take(text, ledger, path);
}

/**
 * @param {Element} element
 * @param {import('./ledger.js').Ledger} ledger
 * @param {string} path
 */
function value_of(element, ledger, path) {
  if (element instanceof HTMLInputElement && element.type === 'password') return null;
  const { value, too_long } = held_value(element, LIMITS.value_chars);
  if (too_long) ledger.stop(path, 'value_chars');
  return take(value, ledger, path);
}

/**
 * @param {string | null} text
 * @param {import('./ledger.js').Ledger} ledger
 * @param {string} path
 */
function take(text, ledger, path) {
  if (text !== null && text.length > LIMITS.value_chars) {
    ledger.stop(path, 'value_chars');
    return null;
  }
  return text === null ? null : ledger.take(text, path);
}
