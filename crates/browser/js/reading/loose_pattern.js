// Builds a cheap pattern to rule out elements before their visible text is computed.

/** Characters that may be present in the DOM text but not in the visible text, or the other way round. */
const SLACK = '[\\s\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060\\u2066-\\u2069\\ufeff]*';

/**
 * Returns a pattern that matches text despite different white space, different letter case and invisible characters in
 * between. It may match too much, never too little.
 *
 * @param {string} text
 * @returns {RegExp}
 */
export function loose_pattern(text) {
  const letters = Array.from(text.replace(/\s+/g, ''), (letter) => letter.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&'));
  return new RegExp(letters.join(SLACK), 'iu');
}
