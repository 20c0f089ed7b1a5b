/**
 * Reads the text that CSS puts before or after the content of an element.
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
 * Finds the slash before the alternative text of `content: "★" / "star"`.
 *
 * @param {string} content
 */
function alternative_at(content) {
  const bare = content.replace(/"(?:[^"\\]|\\.)*"/g, (quoted) => ' '.repeat(quoted.length));
  return bare.replace(/url\([^)]*\)/g, (url) => ' '.repeat(url.length)).indexOf('/');
}

/** Quotation marks that are named instead of written. */
const MARKS = new Map([
  ['open-quote', '\u201c'],
  ['close-quote', '\u201d'],
]);

/**
 * Joins the strings and quotation marks of a computed value.
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
