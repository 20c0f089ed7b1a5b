// Splits a complex selector into compound selectors and combinators.

import { top_level_marks } from './top_level_marks.js';

/**
 * Splits one complex selector into its compound selectors, each with the combinator before it.
 *
 * @param {string} selector one alternative, without top-level commas
 * @returns {{combinator: ' ' | '>' | '+' | '~', compound: string}[] | null} null when the text is not balanced or does
 *   not alternate between compounds and combinators
 */
export function split_compounds(selector) {
  /** @type {{combinator: ' ' | '>' | '+' | '~', compound: string}[]} */
  const parts = [];
  /** @type {' ' | '>' | '+' | '~' | null} */
  let combinator = ' ';
  let start = -1;
  let well_formed = true;
  const balanced = top_level_marks(selector, (char, index) => {
    const joins = char === '>' || char === '+' || char === '~';
    const space = /[ \t\r\n\f]/.test(char);
    if (!joins && !space) {
      if (start === -1) start = index;
      return;
    }
    if (start !== -1) {
      parts.push({ combinator: combinator ?? ' ', compound: selector.slice(start, index).trim() });
      start = -1;
      combinator = null;
    }
    if (!joins) return;
    if (combinator !== null) well_formed = false;
    combinator = char;
  });
  if (!balanced || !well_formed) return null;
  if (start !== -1) parts.push({ combinator: combinator ?? ' ', compound: selector.slice(start).trim() });
  else if (combinator !== null) return null;
  return parts;
}
