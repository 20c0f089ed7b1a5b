// Places the caret or the selection in an editable element.

import { create_range, document_selection } from '../native/document.js';
import { root_node } from '../native/node.js';

/**
 * Selects all content to replace it, keeps the caret, or moves it to the end.
 *
 * @param {Element} element
 * @param {'line' | 'lines' | 'content'} kind
 * @param {'append' | 'insert' | 'replace'} mode
 * @param {boolean} held_focus
 * @returns {'all' | 'kept' | 'end' | 'unknown'} `unknown` when scripts cannot move the caret, as in some types of input
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
  // Chromium keeps a separate selection for each shadow root.
  const own = root instanceof ShadowRoot ? /** @type {any} */ (root).getSelection?.() : null;
  const selection = own ?? document_selection(document);
  if (!selection) return 'unknown';
  selection.removeAllRanges();
  selection.addRange(range);
  return all ? 'all' : 'end';
}
