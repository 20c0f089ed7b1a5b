import { document_active_element, shadow_active_element } from '../native/document.js';
import { shadow_of } from '../tree/shadow_of.js';

/**
 * Gives the element that holds the focus, down through every reachable shadow root; null when none does.
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
