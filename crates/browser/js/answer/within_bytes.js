import { ok, refuse } from './answer.js';
import { already_written } from './to_text.js';

const encoder = new TextEncoder();

/**
 * Answers with a value if its JSON is within a number of bytes, and refuses otherwise; nothing is ever cut short.
 *
 * @template T
 * @param {T} value
 * @param {number} max_bytes
 * @param {{narrowing_hints: string[]} & Record<string, unknown>} evidence
 * @returns {Answer<T>}
 */
export function within_bytes(value, max_bytes, evidence) {
  const text = JSON.stringify(value);
  // A unit of UTF-16 takes at most three bytes of UTF-8.
  const bytes = text.length * 3 <= max_bytes ? 0 : encoder.encode(text).length;
  if (bytes <= max_bytes) return already_written(ok(value), text);
  return refuse('payload_too_large', `the result is ${bytes} bytes, more than the ${max_bytes} that were asked for`, {
    bytes,
    max_bytes,
    ...evidence,
  });
}
