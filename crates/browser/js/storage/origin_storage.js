// Accesses local and session storage.

/**
 * Returns a storage area of the origin; null in a document without access to storage.
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
