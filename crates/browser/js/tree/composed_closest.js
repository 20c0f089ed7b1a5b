// `closest` across shadow boundaries.

import { element_closest, shadow_host } from '../native/element.js';
import { is_shadow_root } from '../native/kind.js';
import { root_node } from '../native/node.js';

/**
 * Returns the nearest match among an element and its ancestors, continuing from a shadow root at its host.
 *
 * @param {Element} element
 * @param {string} selector
 * @returns {Element | null}
 */
export function composed_closest(element, selector) {
  /** @type {Element | null} */
  let at = element;
  while (at) {
    const found = element_closest(at, selector);
    if (found) return found;
    const root = root_node(at);
    at = is_shadow_root(root) ? shadow_host(root) : null;
  }
  return null;
}
