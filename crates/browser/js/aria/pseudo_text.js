// Reads generated content: `::before`, `::after`, and images that replace an element.

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
  const text = spoken(content);
  return /^inline/.test(style.display) ? text : ` ${text} `;
}

/**
 * Returns the alternative text of an image that CSS shows in place of an element; null when CSS replaces nothing.
 *
 * @param {Element} element
 * @returns {string | null}
 */
export function replaced_text(element) {
  const { content } = getComputedStyle(element);
  return /^(url|image-set|[a-z-]+-gradient)\(/.test(content) && content.includes('/ ') ? spoken(content) : null;
}

/**
 * Returns the text of a computed `content`: the alternative text of `"★" / "star"`, else its strings.
 *
 * @param {string} content
 */
function spoken(content) {
  // An address may contain slashes and quotation marks.
  const texts = content.replace(/url\("(?:[^"\\]|\\.)*"\)/g, '');
  const bare = texts.replace(/"(?:[^"\\]|\\.)*"/g, (quoted) => ' '.repeat(quoted.length));
  const slash = bare.indexOf('/');
  return strings(slash === -1 ? texts : texts.slice(slash + 1));
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
