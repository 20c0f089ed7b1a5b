// Splits a selector list into its alternatives.

import { top_level_marks } from './top_level_marks.js';

/**
 * Splits a selector list at its top-level commas, so that matches can be listed in the order of the alternatives.
 * Returns unbalanced text as one piece, so that the browser's own parser reports what is wrong with it.
 *
 * @param {string} selector
 * @returns {string[]}
 */
export function split_alternatives(selector) {
  if (!selector.includes(',')) return [selector.trim()];
  /** @type {number[]} */
  const commas = [];
  const balanced = top_level_marks(selector, (char, index) => {
    if (char === ',') commas.push(index);
  });
  if (!balanced) return [selector];
  const parts = [];
  let start = 0;
  for (const comma of commas) {
    parts.push(selector.slice(start, comma).trim());
    start = comma + 1;
  }
  parts.push(selector.slice(start).trim());
  return parts;
}
