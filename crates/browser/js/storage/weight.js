// Estimates the size of stored values.

/** The estimated size of the smallest value, in bytes. */
const LEAST = 8;

/**
 * Returns the approximate size of a structured value in bytes, without encoding it.
 *
 * @param {unknown} value
 * @returns {number}
 */
export function weight(value) {
  const seen = new Set();
  let total = 0;
  /** @type {unknown[]} */
  const heap = [value];
  while (heap.length > 0) {
    const item = heap.pop();
    total += LEAST;
    if (typeof item === 'string') total += item.length;
    if (typeof item !== 'object' || item === null || seen.has(item)) continue;
    seen.add(item);
    if (item instanceof ArrayBuffer || ArrayBuffer.isView(item)) total += item.byteLength;
    else if (item instanceof Blob) total += item.size;
    else if (item instanceof Map) for (const entry of item) heap.push(entry[0], entry[1]);
    else if (item instanceof Set || Array.isArray(item)) for (const inner of item) heap.push(inner);
    else for (const [key, inner] of Object.entries(item)) heap.push(key, inner);
  }
  return total;
}
