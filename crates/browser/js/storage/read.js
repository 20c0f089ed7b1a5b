// `storage.read`: reads everything that the page's origin has stored.

import { ok, refuse } from '../answer/answer.js';
import { read_databases } from './databases.js';
import { origin_storage } from './origin_storage.js';

/**
 * Reads the local storage, the session storage and the databases of the origin. Values that cannot be saved are listed
 * in `unsaved`.
 *
 * @param {{max_bytes: number}} args
 */
export async function storage_read({ max_bytes }) {
  const local_storage = items(origin_storage('localStorage'));
  const session_storage = items(origin_storage('sessionStorage'));
  const budget = { left: max_bytes - JSON.stringify([local_storage, session_storage]).length };
  const { databases: indexed_db, unsaved } = await read_databases(budget);
  const bytes =
    budget.left < 0
      ? max_bytes - budget.left
      : JSON.stringify([local_storage, session_storage, indexed_db]).length;
  if (bytes > max_bytes) {
    return refuse('payload_too_large', `the storage of ${location.origin} has at least ${bytes} bytes, more than the limit of ${max_bytes}`, {
      origin: location.origin,
      bytes,
      max_bytes,
      narrowing_hints: ['save the state of a session that has stored less'],
    });
  }
  return ok({ origin: location.origin, local_storage, session_storage, indexed_db, unsaved });
}

/** @param {Storage | null} storage */
function items(storage) {
  const found = [];
  for (let index = 0; storage && index < storage.length; index += 1) {
    const name = storage.key(index);
    if (name !== null) found.push({ name, value: storage.getItem(name) ?? '' });
  }
  return found;
}
