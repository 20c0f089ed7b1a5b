// Truncates text.

/**
 * Truncates text to a number of UTF-16 units without splitting a surrogate pair.
 *
 * @param {string} text
 * @param {number} limit
 * @returns {string}
 */
export function cut_text(text, limit) {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit);
}
