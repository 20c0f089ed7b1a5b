// Applies the CSS property `text-transform`.

/**
 * Changes letters as `text-transform` does when the browser paints them.
 *
 * @param {string} text
 * @param {string} transform a computed value
 * @returns {string}
 */
export function transform_text(text, transform) {
  if (transform === 'none') return text;
  if (transform.includes('uppercase')) return text.toUpperCase();
  if (transform.includes('lowercase')) return text.toLowerCase();
  if (transform.includes('capitalize')) return text.replace(/(^|\s)(\p{L})/gu, (all) => all.toUpperCase());
  return text;
}
