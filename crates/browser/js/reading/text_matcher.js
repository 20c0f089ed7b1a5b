// Combines the ways in which a locator compares a text: equal, contained, matched by a regular expression.

import { comparable_text } from './comparable_text.js';
import { loose_pattern } from './loose_pattern.js';
import { MAX_PATTERN_TEXT, compile_pattern } from './pattern.js';

/**
 * @typedef {object} TextMatcher
 * @property {(text: string) => boolean} fits whether a text fits, once it is normalised
 * @property {(text: string) => boolean} may_fit a cheap test of DOM text; false rules the text out
 */

/**
 * Builds a matcher from the wanted texts; null when there are none. A regular expression that is not valid fits nothing.
 *
 * @param {{whole?: string | undefined, parts: (string | undefined)[], pattern?: string | undefined, ignore_case?: boolean | undefined}} wanted
 * @returns {TextMatcher | null}
 */
export function text_matcher({ whole, parts, pattern, ignore_case = false }) {
  const texts = parts.filter((text) => text !== undefined).map(comparable);
  const equal = whole === undefined ? null : comparable(whole);
  if (texts.length === 0 && equal === null && pattern === undefined) return null;
  const loose = [...texts, ...(equal === null ? [] : [equal])].map(loose_pattern);
  const compiled = pattern === undefined ? null : compile_pattern(pattern, ignore_case);
  return { fits, may_fit: (text) => loose.every((each) => each.test(text)) };

  /** @param {string} text */
  function comparable(text) {
    const normal = comparable_text(text);
    return ignore_case ? normal.toLowerCase() : normal;
  }

  /** @param {string} text */
  function fits(text) {
    const seen = comparable(text);
    if (equal !== null && seen !== equal) return false;
    if (!texts.every((part) => seen.includes(part))) return false;
    if (compiled === null) return true;
    return 'ok' in compiled && text.length <= MAX_PATTERN_TEXT && compiled.ok(comparable_text(text));
  }
}
