// Converts between plain text and the HTML of a clipboard.

/** Elements that end a line of plain text. */
const BLOCKS = /^(address|article|blockquote|dd|div|dl|dt|footer|h[1-6]|header|hr|li|main|ol|p|pre|section|table|tr|ul)$/;

/**
 * Returns the HTML that a program puts on the clipboard beside a plain text: a paragraph for each block of lines. A text
 * with tabs is a table of some program, which editors read from the plain text; it has none.
 *
 * @param {string} text
 * @returns {string}
 */
export function markup_of(text) {
  if (text === '' || text.includes('\t')) return '';
  const blocks = text.replace(/\r\n?/g, '\n').split(/\n{2,}/);
  return blocks.map((block) => `<p>${escaped(block).replaceAll('\n', '<br>')}</p>`).join('');
}

/**
 * Returns HTML as plain text: a line for each block and row, a tab between two cells.
 *
 * @param {string} html
 * @returns {string}
 */
export function text_of_markup(html) {
  const lines = { text: '' };
  write(new DOMParser().parseFromString(html, 'text/html').body, lines);
  return lines.text.replace(/[^\S\t\n]+/g, ' ').replace(/ *\n+ */g, '\n').trim();
}

/**
 * Returns HTML without what could run a script; empty when this browser cannot clean it.
 *
 * @param {string} html
 * @returns {string}
 */
export function safe_markup(html) {
  const parse = /** @type {any} */ (Document).parseHTML;
  return typeof parse === 'function' ? parse.call(Document, html).body.innerHTML : '';
}

/**
 * @param {Node} node
 * @param {{text: string}} lines
 */
function write(node, lines) {
  for (const child of node.childNodes) {
    const name = child.nodeName.toLowerCase();
    if (child instanceof Text) lines.text += child.data.replace(/\s+/g, ' ');
    else if (name === 'br') lines.text += '\n';
    else if (name !== 'script' && name !== 'style') {
      write(child, lines);
      if (BLOCKS.test(name)) lines.text += '\n';
      else if (/^t[dh]$/.test(name) && child.nextSibling) lines.text += '\t';
    }
  }
}

/** @param {string} text */
function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
