/**
 * The JSON text of values that had to be written to be measured, by their answer.
 *
 * @type {WeakMap<object, string>}
 */
const written = new WeakMap();

/**
 * Notes the JSON text of the value of an answer, so that it is not written twice.
 *
 * @template {{ok: unknown}} T
 * @param {T} answer
 * @param {string} text
 * @returns {T}
 */
export function already_written(answer, text) {
  written.set(answer, text);
  return answer;
}

/**
 * Writes an answer as JSON text in which every character is whole: half a surrogate pair, which a page may hold but no
 * parser takes, becomes the replacement character.
 *
 * @param {Answer} answer
 * @returns {string}
 */
export function to_text(answer) {
  const value = written.get(answer);
  const text = value === undefined ? JSON.stringify(answer) : `{"ok":${value}}`;
  if (!text.includes('\\ud')) return text;
  return text.replace(/\\(?:ud[89a-f][0-9a-f]{2}|.)/g, (escape) => (escape.startsWith('\\ud') ? '\ufffd' : escape));
}
