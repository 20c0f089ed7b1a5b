/**
 * Collapses white space, non-breaking spaces included, drops characters that show nothing, and trims.
 *
 * @param {string} text
 * @returns {string}
 */
export function normalize_text(text) {
  return text
    .replace(/[\u00ad\u200b\u2060\ufeff]+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
