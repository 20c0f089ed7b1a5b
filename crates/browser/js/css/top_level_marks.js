// Scans selector text for the characters outside strings, brackets, parentheses and comments.

/**
 * Reports every character of a selector at its top level: outside strings, brackets, parentheses, comments and escapes.
 *
 * @param {string} text
 * @param {(char: string, index: number) => void} report
 * @returns {boolean} whether every string, bracket, parenthesis and comment was closed
 */
export function top_level_marks(text, report) {
  let depth = 0;
  let i = 0;
  while (i < text.length) {
    const char = /** @type {string} */ (text[i]);
    if (char === '\\') {
      if (depth === 0) report('a', i);
      i += 2;
    } else if (char === '"' || char === "'") {
      const end = end_of_string(text, i);
      if (end === -1) return false;
      i = end;
    } else if (char === '/' && text[i + 1] === '*') {
      const end = text.indexOf('*/', i + 2);
      if (end === -1) return false;
      i = end + 2;
    } else {
      if (char === ')' || char === ']') depth -= 1;
      if (depth < 0) return false;
      if (depth === 0) report(char, i);
      if (char === '(' || char === '[') depth += 1;
      i += 1;
    }
  }
  return depth === 0;
}

/**
 * Returns the index after the closing quote of a string, or -1 when there is none.
 *
 * @param {string} text
 * @param {number} start
 */
function end_of_string(text, start) {
  for (let i = start + 1; i < text.length; i += 1) {
    if (text[i] === '\\') i += 1;
    else if (text[i] === text[start]) return i + 1;
  }
  return -1;
}
