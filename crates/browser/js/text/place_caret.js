import { create_range, document_selection } from '../native/document.js';
import { root_node } from '../native/node.js';

/**
 * Places the caret of a focused element: everything selected to be replaced, where it is, or at the end.
 *
 * @param {Element} element
 * @param {'line' | 'lines' | 'content'} kind
 * @param {'append' | 'insert' | 'replace'} mode
 * @param {boolean} held_focus
 * @returns {'all' | 'kept' | 'end' | 'unknown'} `unknown` when the element does not tell: some types of input have no
 *   caret that a script may move
 */
export function place_caret(element, kind, mode, held_focus) {
  if (mode !== 'replace' && held_focus) return 'kept';
  if (kind === 'content') return select_content(element, mode === 'replace');
  const field = /** @type {HTMLInputElement | HTMLTextAreaElement} */ (element);
  if (mode === 'replace') {
    field.select();
    return 'all';
  }
  try {
    field.setSelectionRange(field.value.length, field.value.length);
    return 'end';
  } catch {
    return 'unknown';
  }
}

/**
 * @param {Element} element
 * @param {boolean} all
 */
function select_content(element, all) {
  const range = create_range(document);
  range.selectNodeContents(element);
  if (!all) range.collapse(false);
  const root = root_node(element);
  // Chromium keeps the selection of a shadow root apart from that of the document.
  const own = root instanceof ShadowRoot ? /** @type {any} */ (root).getSelection?.() : null;
  const selection = own ?? document_selection(document);
  if (!selection) return 'unknown';
  selection.removeAllRanges();
  selection.addRange(range);
  return all ? 'all' : 'end';
}
