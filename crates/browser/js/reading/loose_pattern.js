/** What visible text may have more or less of than the text of the document. */
const SLACK = '[\\s\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060\\u2066-\\u2069\\ufeff]*';

/**
 * Makes a pattern that finds a text in whatever form a document may hold it: with other white space, other letter case,
 * and characters in between that show nothing. A quick test before the exact one.
 *
 * @param {string} text
 * @returns {RegExp}
 */
export function loose_pattern(text) {
  const letters = Array.from(text.replace(/\s+/g, ''), (letter) => letter.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&'));
  return new RegExp(letters.join(SLACK), 'iu');
}
