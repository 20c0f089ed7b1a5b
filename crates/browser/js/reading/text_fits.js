// Measures text without reading it.

import { create_tree_walker } from '../native/document.js';
import { first_child, next_sibling, node_type, text_length } from '../native/node.js';

/**
 * Returns whether the text below a node has at most `limit` characters, without building the string.
 *
 * @param {Node} node
 * @param {number} limit
 * @returns {boolean}
 */
export function text_fits(node, limit) {
  const only = first_child(node);
  if (!only) return true;
  if (node_type(only) === Node.TEXT_NODE && !next_sibling(only))
    return text_length(/** @type {Text} */ (only)) <= limit;
  const walker = create_tree_walker(document, node, NodeFilter.SHOW_TEXT);
  let length = 0;
  for (let at = walker.nextNode(); at; at = walker.nextNode()) {
    length += text_length(/** @type {Text} */ (at));
    if (length > limit) return false;
  }
  return true;
}
