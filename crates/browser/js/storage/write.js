// `storage.write`: restores what `storage.read` saved.

import { ok, refuse } from '../answer/answer.js';
import { write_database } from './write_database.js';
import { origin_storage } from './origin_storage.js';

/**
 * Restores the output of `storage.read` in the origin of this document.
 *
 * @param {{local_storage?: Item[], session_storage?: Item[], indexed_db?: Database[]}} args
 * @typedef {{name: string, value: string}} Item
 * @typedef {import('./databases.js').Database} Database
 */
export async function storage_write({ local_storage = [], session_storage = [], indexed_db = [] }) {
  try {
    put_items(origin_storage('localStorage'), local_storage);
    put_items(origin_storage('sessionStorage'), session_storage);
    for (const database of indexed_db) await write_database(database);
  } catch (error) {
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return refuse('script_failed', `the storage of ${location.origin} was not restored: ${reason}`, {
      origin: location.origin,
    });
  }
  return ok({ origin: location.origin });
}

/**
 * @param {Storage | null} storage
 * @param {Item[]} items
 */
function put_items(storage, items) {
  if (items.length === 0) return;
  if (!storage) throw new Error('the document has no access to storage');
  for (const { name, value } of items) storage.setItem(name, value);
}
