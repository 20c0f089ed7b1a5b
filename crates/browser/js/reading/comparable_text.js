// Normalises text for comparison.

import { normalize_text } from './normalize_text.js';

/**
 * Returns text in the form in which it is compared: normalised, and without joiners and direction marks, which an
 * author of a locator cannot see.
 *
 * @param {string} text
 * @returns {string}
 */
export function comparable_text(text) {
  return normalize_text(text.replace(/[\u200c-\u200f\u202a-\u202e\u2066-\u2069]+/g, ''));
}
