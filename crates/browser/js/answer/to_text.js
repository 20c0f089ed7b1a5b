/**
 * Writes an answer as JSON text in which every character is whole: half a surrogate pair, which a page may hold but no
 * parser takes, becomes the replacement character.
 *
 * @param {Answer} answer
 * @returns {string}
 */
export function to_text(answer) {
  const text = JSON.stringify(answer);
  if (!text.includes('\\ud')) return text;
  return text.replace(/\\(?:ud[89a-f][0-9a-f]{2}|.)/g, (escape) => (escape.startsWith('\\ud') ? '\ufffd' : escape));
}
