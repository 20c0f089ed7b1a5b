// Finds the focused element.

import { document_active_element, shadow_active_element } from '../native/document.js';
import { shadow_of } from '../tree/shadow_of.js';

/**
 * Returns the element that has the focus, inside shadow roots too; null when none has it.
 *
 * @returns {Element | null}
 */
export function active_element() {
  let at = document_active_element(document);
  while (at) {
    const root = shadow_of(at);
    const inner = root && shadow_active_element(root);
    if (!inner) return at;
    at = inner;
  }
  return null;
}
