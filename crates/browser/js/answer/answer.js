/**
 * Makes a successful answer.
 *
 * @template T
 * @param {T} value
 * @returns {{ok: T}}
 */
export function ok(value) {
  return { ok: value };
}

/**
 * Makes a refusal: a code of the one table of error codes, a sentence, and what was seen.
 *
 * @param {string} code
 * @param {string} message
 * @param {Record<string, unknown>} [evidence]
 * @returns {Refusal}
 */
export function refuse(code, message, evidence = {}) {
  return { error: { code, message, evidence } };
}
