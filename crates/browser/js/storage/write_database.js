// Restores an IndexedDB database.

import { decode } from './decode.js';
import { request_done } from './request.js';

/**
 * Deletes a database, creates it again and fills it.
 *
 * @param {import('./databases.js').Database} written
 */
export async function write_database({ name, version, stores }) {
  await request_done(indexedDB.deleteDatabase(name));
  const opening = indexedDB.open(name, version);
  opening.onupgradeneeded = () => {
    for (const store of stores) make_store(opening.result, store);
  };
  const database = await request_done(opening);
  try {
    if (stores.length > 0) await fill(database, stores);
  } finally {
    database.close();
  }
}

/**
 * @param {IDBDatabase} database
 * @param {import('./databases.js').Store} written
 */
function make_store(database, { name, autoIncrement, indexes, ...path }) {
  const store = database.createObjectStore(name, { autoIncrement, keyPath: key_path(path) ?? null });
  for (const { name: index, multiEntry, unique, ...index_path } of indexes ?? []) {
    store.createIndex(index, key_path(index_path) ?? '', { multiEntry, unique });
  }
}

/**
 * @param {IDBDatabase} database
 * @param {import('./databases.js').Store[]} stores
 */
async function fill(database, stores) {
  const transaction = database.transaction(stores.map((store) => store.name), 'readwrite');
  const over = new Promise((done, failed) => {
    transaction.oncomplete = () => done(undefined);
    transaction.onabort = () => failed(transaction.error ?? new Error('the database reported an unknown error'));
  });
  for (const { name, records } of stores) {
    const store = transaction.objectStore(name);
    for (const record of records) {
      const value = 'valueEncoded' in record ? decode(record.valueEncoded) : record.value;
      const key = 'keyEncoded' in record ? decode(record.keyEncoded) : record.key;
      store.put(value, /** @type {IDBValidKey | undefined} */ (key));
    }
  }
  await over;
}

/** @param {{keyPath?: string, keyPathArray?: string[]}} path */
function key_path({ keyPath, keyPathArray }) {
  return keyPath ?? keyPathArray;
}
