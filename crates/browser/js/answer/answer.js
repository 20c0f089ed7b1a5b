// Builds the two kinds of answer that every function of the page script returns: `{ok}` or `{error}`.

/**
 * Builds a successful answer.
 *
 * @template T
 * @param {T} value
 * @returns {{ok: T}}
 */
export function ok(value) {
  return { ok: value };
}

/**
 * Builds a refusal: a code from the table of error codes, a sentence for people, and the facts behind it.
 *
 * @param {string} code
 * @param {string} message
 * @param {Record<string, unknown>} [evidence]
 * @returns {Refusal}
 */
export function refuse(code, message, evidence = {}) {
  return { error: { code, message, evidence } };
}
