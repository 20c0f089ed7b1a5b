/**
 * Gives a storage of the origin; null in a document that may not have one.
 *
 * @param {'localStorage' | 'sessionStorage'} name
 * @returns {Storage | null}
 */
export function origin_storage(name) {
  try {
    return window[name];
  } catch {
    return null;
  }
}
