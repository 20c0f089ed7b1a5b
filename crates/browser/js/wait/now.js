/**
 * Tells the time of the document's monotonic clock in milliseconds.
 *
 * @returns {number}
 */
export function now() {
  return performance.now();
}
