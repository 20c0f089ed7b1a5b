// Reads generated content (`::before`, `::after`).

/**
 * Returns the text that CSS adds before or after the content of an element.
 *
 * @param {Element} element
 * @param {'::before' | '::after'} which
 * @returns {string}
 */
export function pseudo_text(element, which) {
  const style = getComputedStyle(element, which);
  const { content } = style;
  if (!content || content === 'none' || content === 'normal' || style.display === 'none') return '';
  if (style.visibility !== 'visible') return '';
  const slash = alternative_at(content);
  const text = strings(slash === -1 ? content : content.slice(slash + 1));
  return /^inline/.test(style.display) ? text : ` ${text} `;
}

/**
 * Returns the index of the slash before the alternative text in `content: "★" / "star"`, or -1.
 *
 * @param {string} content
 */
function alternative_at(content) {
  const bare = content.replace(/"(?:[^"\\]|\\.)*"/g, (quoted) => ' '.repeat(quoted.length));
  return bare.replace(/url\([^)]*\)/g, (url) => ' '.repeat(url.length)).indexOf('/');
}

/** Quotation marks that `content` refers to by keyword. */
const MARKS = new Map([
  ['open-quote', '\u201c'],
  ['close-quote', '\u201d'],
]);

/**
 * Joins the strings and quotation marks of a computed `content` value.
 *
 * @param {string} content
 */
function strings(content) {
  let text = '';
  for (const quoted of content.match(/"(?:[^"\\]|\\.)*"|open-quote|close-quote/g) ?? []) {
    text +=
      MARKS.get(quoted) ??
      quoted
        .slice(1, -1)
        .replace(/\\([0-9a-f]{1,6} ?|.)/gi, (_, escaped) =>
          /^[0-9a-f]/i.test(escaped) ? String.fromCodePoint(parseInt(escaped, 16) || 0xfffd) : escaped,
        );
  }
  return text;
}
