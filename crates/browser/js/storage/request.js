/**
 * Waits for a request of a database.
 *
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
export function request_done(request) {
  return new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error ?? new Error('the database refused'));
    // Another document of the origin holds the database open; it may never let go.
    if (request instanceof IDBOpenDBRequest) request.onblocked = () => failed(new Error('the database is in use'));
  });
}
