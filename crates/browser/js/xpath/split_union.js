/**
 * Splits an XPath at the `|` between its alternatives: those outside of literals, parentheses and brackets.
 *
 * @param {string} expression
 * @returns {string[]}
 */
export function split_union(expression) {
  const parts = [];
  let start = 0;
  for (const { char, index, depth } of marks(expression)) {
    if (char !== '|' || depth > 0) continue;
    parts.push(expression.slice(start, index));
    start = index + 1;
  }
  return [...parts, expression.slice(start)];
}

/**
 * Finds where the group ends with which an expression begins.
 *
 * @param {string} expression
 * @returns {number} -1 when it does not end
 */
export function end_of_group(expression) {
  for (const { char, index, depth } of marks(expression)) if (char === ')' && depth === 0) return index;
  return -1;
}

/**
 * Walks over the characters of an XPath outside of its literals.
 *
 * @param {string} expression
 * @returns {Generator<{char: string, index: number, depth: number}>} `depth` after the character
 */
function* marks(expression) {
  let depth = 0;
  let quote = '';
  for (const [index, char] of expression.split('').entries()) {
    if (quote !== '') {
      if (char === quote) quote = '';
      continue;
    }
    if (char === '"' || char === "'") quote = char;
    if (char === '(' || char === '[') depth += 1;
    if (char === ')' || char === ']') depth -= 1;
    yield { char, index, depth };
  }
}
