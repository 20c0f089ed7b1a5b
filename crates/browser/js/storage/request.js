// Turns IndexedDB requests into promises.

/**
 * Waits for an IndexedDB request.
 *
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
export function request_done(request) {
  return new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error ?? new Error('the database reported an unknown error'));
    // Another document of the origin keeps the database open and may never close it.
    if (request instanceof IDBOpenDBRequest) request.onblocked = () => failed(new Error('another document keeps the database open'));
  });
}
