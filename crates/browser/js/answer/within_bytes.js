// Enforces the size limit of an answer.

import { ok, refuse } from './answer.js';
import { already_written } from './to_text.js';

const encoder = new TextEncoder();

/**
 * Returns a value as the answer if its JSON fits into a number of bytes, and a refusal otherwise. It never truncates.
 *
 * @template T
 * @param {T} value
 * @param {number} max_bytes
 * @param {{narrowing_hints: string[]} & Record<string, unknown>} evidence
 * @returns {Answer<T>}
 */
export function within_bytes(value, max_bytes, evidence) {
  const text = JSON.stringify(value);
  // One UTF-16 unit takes at most three bytes of UTF-8, so short text needs no encoding to be measured.
  const bytes = text.length * 3 <= max_bytes ? 0 : encoder.encode(text).length;
  if (bytes <= max_bytes) return already_written(ok(value), text);
  return refuse('payload_too_large', `the result is ${bytes} bytes, more than max_payload_bytes (${max_bytes})`, {
    bytes,
    max_bytes,
    ...evidence,
  });
}
