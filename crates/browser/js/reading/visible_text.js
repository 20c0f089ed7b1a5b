// Reads the text that a person sees in an element.

import { check_visibility, local_name } from '../native/element.js';
import { node_text, node_type, text_data, text_length } from '../native/node.js';
import { flat_children } from '../tree/flat_children.js';
import { flat_parent } from '../tree/flat_parent.js';
import { cut_text } from './cut_text.js';
import { normalize_text } from './normalize_text.js';
import { transform_text } from './transform_text.js';

/** Elements whose content the browser never shows as text. */
const SILENT = new Set(['script', 'style', 'noscript', 'template', 'head', 'title', 'textarea', 'datalist', 'iframe']);

/** Values of `display` that stay within a line, so that the text before and after is joined. */
const INLINE = /^(inline|contents|ruby)/;

/**
 * Returns the normalised text that a person sees in an element, shadow roots included.
 *
 * `text` has the letters of the DOM. `painted` is set when `text-transform` shows different ones. For an element that
 * is not rendered, this returns the text it would show, as `innerText` does. The walk stops once it has collected more
 * than the limit, so its cost depends on the size of the answer and not on the size of the element.
 *
 * @param {Element} element
 * @param {{max_chars: number, max_nodes?: number}} limits
 * @returns {{text: string, painted: string | null, truncated: boolean}}
 */
export function visible_text(element, { max_chars, max_nodes = 200_000 }) {
  // Normalising shortens runs of white space, so collect more than the limit before stopping.
  const room = max_chars * 2 + 64;
  const rendered = check_visibility(nearest_box(element));
  /** @type {string[]} */
  const pieces = [];
  /** @type {string[]} */
  const painted = [];
  let transforms = false;
  let held = 0;
  let left = max_nodes;
  let truncated = false;

  /**
   * @param {string} piece
   * @param {string} [transform]
   */
  const take = (piece, transform = 'none') => {
    const shown = transform === 'none' ? piece : transform_text(piece, transform);
    if (shown !== piece) transforms = true;
    pieces.push(piece);
    painted.push(shown);
    held += piece.length;
  };

  /**
   * @param {Text} node
   * @param {CSSStyleDeclaration} style
   */
  const take_node = (node, style) => {
    if (rendered && style.visibility !== 'visible') return;
    // Do not materialise a huge text node only to keep its start.
    if (text_length(node) <= room) return take(text_data(node), style.textTransform);
    truncated = true;
    take(node.substringData(0, room), style.textTransform);
  };

  /** @param {Element} at */
  const walk = (at) => {
    left -= 1;
    const name = local_name(at);
    if (SILENT.has(name)) return;
    if (name === 'br') return take('\n');
    const style = getComputedStyle(at);
    if (rendered && style.display !== 'contents' && !check_visibility(at)) return;
    if (at instanceof HTMLSelectElement) {
      for (const option of at.selectedOptions) take(` ${node_text(option) ?? ''} `);
      return;
    }
    const apart = !INLINE.test(style.display);
    if (apart) take('\n');
    for (const child of flat_children(at)) {
      if (left < 0 || held > room) {
        truncated = true;
        return;
      }
      const type = node_type(child);
      if (type === Node.TEXT_NODE) take_node(/** @type {Text} */ (child), style);
      else if (type === Node.ELEMENT_NODE) walk(/** @type {Element} */ (child));
    }
    if (apart) take('\n');
  };

  walk(element);
  const text = normalize_text(pieces.join(''));
  return {
    text: cut_text(text, max_chars),
    painted: transforms ? cut_text(normalize_text(painted.join('')), max_chars) : null,
    truncated: truncated || text.length > max_chars,
  };
}

/**
 * Returns the element itself, or its nearest ancestor that is not `display: contents`.
 *
 * @param {Element} element
 * @returns {Element}
 */
function nearest_box(element) {
  let at = element;
  while (getComputedStyle(at).display === 'contents') {
    const parent = flat_parent(at);
    if (!parent) break;
    at = parent;
  }
  return at;
}
