// Splits XPath unions and groups.

/**
 * Splits an XPath expression at each `|` that is outside literals, parentheses and brackets.
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
 * Returns the index of the parenthesis that closes the group at the start of an expression.
 *
 * @param {string} expression
 * @returns {number} -1 when it does not end
 */
export function end_of_group(expression) {
  for (const { char, index, depth } of marks(expression)) if (char === ')' && depth === 0) return index;
  return -1;
}

/**
 * Yields the characters of an XPath expression that are outside its literals.
 *
 * @param {string} expression
 * @returns {Generator<{char: string, index: number, depth: number}>} `depth` is the nesting depth after the character
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
