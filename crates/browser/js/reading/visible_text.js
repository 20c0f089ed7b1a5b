import { check_visibility, local_name } from '../native/element.js';
import { node_text, node_type, text_data, text_length } from '../native/node.js';
import { flat_children } from '../tree/flat_children.js';
import { flat_parent } from '../tree/flat_parent.js';
import { cut_text } from './cut_text.js';
import { normalize_text } from './normalize_text.js';
import { transform_text } from './transform_text.js';

/** Elements whose content is never text on the page. */
const SILENT = new Set(['script', 'style', 'noscript', 'template', 'head', 'title', 'textarea', 'datalist', 'iframe']);

/** Displays that flow within a line and so join the text before and after them. */
const INLINE = /^(inline|contents|ruby)/;

/**
 * Reads the text a person sees in an element, normalised, in the tree that is rendered, shadow roots included.
 *
 * `text` has the letters of the document; `painted` is there when `text-transform` shows other ones. An element that is
 * not rendered at all gives the text it would show, as `innerText` does. The walk stops as soon as it holds more than
 * the limit, so an element of any size costs no more than its answer.
 *
 * @param {Element} element
 * @param {{max_chars: number, max_nodes?: number}} limits
 * @returns {{text: string, painted: string | null, truncated: boolean}}
 */
export function visible_text(element, { max_chars, max_nodes = 200_000 }) {
  // Runs of white space shrink, so more than the limit is taken before the walk gives up.
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
    // A huge node is not materialised for the sake of its start.
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
 * Gives the element, or the nearest ancestor that is not `display: contents`.
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
