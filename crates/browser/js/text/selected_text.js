// Reads the selected text.

import { document_selection } from '../native/document.js';
import { root_node } from '../native/node.js';

/**
 * Returns the selected text of a field, or of the document or shadow root around any other element.
 *
 * @param {Element | null} element
 * @returns {string}
 */
export function selected_text(element) {
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
    const { selectionStart: start, selectionEnd: end, value } = element;
    // Some types of input do not expose their selection; their content can only be selected as a whole.
    return start === null || end === null ? value : value.slice(start, end);
  }
  const root = element && root_node(element);
  const own = root instanceof ShadowRoot ? /** @type {any} */ (root).getSelection?.() : null;
  return String(own ?? document_selection(document) ?? '');
}
