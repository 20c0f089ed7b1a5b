// Normalises text as a person would see it.

/**
 * Collapses white space (non-breaking spaces included), removes invisible characters, and trims.
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
