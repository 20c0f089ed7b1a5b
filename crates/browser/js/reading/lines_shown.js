// Reads the lines of an editable element.

import { check_visibility, local_name } from '../native/element.js';
import { node_type, text_data } from '../native/node.js';
import { flat_children } from '../tree/flat_children.js';

/** Values of `display` that stay within a line. */
const WITHIN_LINE = /^(inline|contents|ruby)/;

/** Values of `white-space-collapse` that keep line ends, and those that keep spaces. */
const KEEPS_LINE_ENDS = /^(preserve|preserve-breaks|break-spaces)$/;
const KEEPS_SPACES = /^(preserve|preserve-spaces|break-spaces)$/;

/**
 * Returns the text of an editable element, with one line end between two lines, whatever elements the editor makes its
 * lines of. An empty line is one that the editor shows as such: a paragraph or a line with nothing but a `br`.
 * `innerText` would put a blank line between any two `p` elements.
 *
 * @param {Element} root
 * @returns {string}
 */
export function lines_shown(root) {
  /** @type {string[]} */
  const lines = [];
  let line = '';
  // Whether the line ends with a space that the browser does not show at the end of a line.
  let has_loose_end = false;

  const end_line = () => {
    lines.push(has_loose_end ? line.slice(0, -1) : line);
    line = '';
    has_loose_end = false;
  };

  /**
   * @param {string} data
   * @param {CSSStyleDeclaration} style
   */
  const take = (data, style) => {
    const collapse = style.getPropertyValue('white-space-collapse');
    const written = KEEPS_LINE_ENDS.test(collapse) ? data.split(/\r\n?|\n/) : [data];
    written.forEach((piece, index) => {
      if (index > 0) end_line();
      if (KEEPS_SPACES.test(collapse)) {
        line += piece;
        has_loose_end = false;
        return;
      }
      const joined = piece.replace(/[ \t\r\n]+/g, ' ');
      line += line === '' || line.endsWith(' ') ? joined.replace(/^ /, '') : joined;
      if (joined !== '') has_loose_end = line.endsWith(' ');
    });
  };

  /** @param {Element} at */
  const walk = (at) => {
    const style = getComputedStyle(at);
    const apart = at !== root && !WITHIN_LINE.test(style.display);
    if (apart && line !== '') end_line();
    for (const child of flat_children(at)) {
      if (node_type(child) === Node.TEXT_NODE) take(text_data(/** @type {Text} */ (child)), style);
      if (node_type(child) !== Node.ELEMENT_NODE) continue;
      const inner = /** @type {Element} */ (child);
      if (local_name(inner) === 'br') end_line();
      else if (check_visibility(inner) || getComputedStyle(inner).display === 'contents') walk(inner);
    }
    if (apart && line !== '') end_line();
  };

  walk(root);
  if (line !== '') end_line();
  return lines.join('\n');
}
