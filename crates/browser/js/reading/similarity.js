// Compares how similar two texts are.

/**
 * Returns how similar two texts are, from 0 to 1: the share of letter pairs that they have in common. A text that
 * contains the other one counts as at least 0.6.
 *
 * @param {string} a
 * @param {string} b
 * @returns {number}
 */
export function similarity(a, b) {
  if (a === b) return 1;
  if (a === '' || b === '') return 0;
  const counts = pairs(a);
  let common = 0;
  for (const [pair, count] of pairs(b)) common += Math.min(count, counts.get(pair) ?? 0);
  const all = Math.max(1, a.length - 1) + Math.max(1, b.length - 1);
  const contained = a.includes(b) || b.includes(a) ? 0.6 : 0;
  return Math.min(0.99, Math.max(contained, (2 * common) / all));
}

/** @param {string} text */
function pairs(text) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (let i = 0; i < Math.max(1, text.length - 1); i += 1) {
    const pair = text.slice(i, i + 2);
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  return counts;
}
