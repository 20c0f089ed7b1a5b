// The clock of the page script.

/**
 * Returns the document's monotonic time in milliseconds.
 *
 * @returns {number}
 */
export function now() {
  return performance.now();
}
