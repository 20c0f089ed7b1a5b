// Serialises an answer to the JSON text that the driver receives.

/**
 * JSON text that was already produced to measure an answer, by answer.
 *
 * @type {WeakMap<object, string>}
 */
const written = new WeakMap();

/**
 * Keeps the JSON text of an answer's value, so that `to_text` does not serialise it a second time.
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
 * Serialises an answer as JSON text. Lone surrogates, which a page may hold but JSON parsers reject, become the
 * replacement character.
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
