// Reads the DOM text below an element, as a cheap test before its visible text is computed.

import { node_text, node_type, text_data } from '../native/node.js';
import { flat_children } from '../tree/flat_children.js';
import { text_fits } from './text_fits.js';

/**
 * Returns the DOM text below an element regardless of styles; null when it is longer than the limit.
 *
 * @param {Element} element
 * @param {boolean} pierce whether to include shadow roots
 * @param {number} limit
 * @returns {string | null}
 */
export function text_within(element, pierce, limit) {
  if (pierce) return flat_text(element, limit);
  return text_fits(element, limit) ? (node_text(element) ?? '') : null;
}

/**
 * @param {Element} element
 * @param {number} limit
 * @returns {string | null}
 */
function flat_text(element, limit) {
  let text = '';
  /** @type {Node[]} */
  const pending = [element];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node_type(node) === Node.TEXT_NODE) text += text_data(/** @type {Text} */ (node));
    else if (node_type(node) === Node.ELEMENT_NODE) {
      pending.push(...flat_children(/** @type {Element} */ (node)).reverse());
    }
    if (text.length > limit) return null;
  }
  return text;
}
