// Reads the IndexedDB databases of an origin.

import { encode } from './encode.js';
import { request_done } from './request.js';
import { weight } from './weight.js';

/**
 * A database as it is saved.
 *
 * @typedef {{name: string, version: number, stores: Store[]}} Database
 * @typedef {{name: string, autoIncrement: boolean, keyPath?: string, keyPathArray?: string[], records: StoredRecord[], indexes: Index[]}} Store
 * @typedef {{name: string, keyPath?: string, keyPathArray?: string[], multiEntry: boolean, unique: boolean}} Index
 * @typedef {{keyEncoded?: unknown, key?: unknown, valueEncoded?: unknown, value?: unknown}} StoredRecord
 */

/**
 * Reads every database of the origin until the budget is used up: a database may hold more than fits into memory.
 *
 * @param {{left: number}} budget bytes left, approximately; negative after it is used up
 * @returns {Promise<{databases: Database[], unsaved: string[]}>}
 */
export async function read_databases(budget) {
  /** @type {Database[]} */
  const databases = [];
  /** @type {string[]} */
  const unsaved = [];
  /** @type {IDBDatabaseInfo[]} */
  let known = [];
  try {
    known = await indexedDB.databases();
  } catch {
    // The document has no access to databases, so it has none.
  }
  for (const { name, version } of known) {
    if (budget.left < 0) break;
    if (name === undefined || version === undefined) continue;
    const database = await request_done(indexedDB.open(name));
    try {
      databases.push({ name, version, stores: await read_stores(database, budget, unsaved) });
    } finally {
      database.close();
    }
  }
  return { databases, unsaved };
}

/**
 * @param {IDBDatabase} database
 * @param {{left: number}} budget
 * @param {string[]} unsaved
 */
async function read_stores(database, budget, unsaved) {
  const names = [...database.objectStoreNames];
  if (names.length === 0) return [];
  const transaction = database.transaction(names, 'readonly');
  // A transaction ends when it has no pending requests, so issue all requests before awaiting any.
  const asked = names.map((name) => {
    const store = transaction.objectStore(name);
    const indexes = [...store.indexNames].map((index) => describe_index(store.index(index)));
    const described = { name, autoIncrement: store.autoIncrement, ...key_path(store.keyPath), indexes };
    const contents = read_records(store, budget);
    return { store, described, contents };
  });
  const stores = [];
  for (const { store, described, contents } of asked) {
    const { keys, values } = await contents;
    if (budget.left < 0) break;
    stores.push({ ...described, records: await encode_records(database, store, keys, values, unsaved) });
  }
  return stores;
}

/**
 * Reads the records of a store one by one, until the budget is used up.
 *
 * @param {IDBObjectStore} store
 * @param {{left: number}} budget
 * @returns {Promise<{keys: IDBValidKey[], values: any[]}>}
 */
function read_records(store, budget) {
  /** @type {{keys: IDBValidKey[], values: any[]}} */
  const found = { keys: [], values: [] };
  const request = store.openCursor();
  return new Promise((done, failed) => {
    request.onerror = () => failed(request.error ?? new Error('the database reported an unknown error'));
    request.onsuccess = () => {
      const cursor = request.result;
      if (!cursor) return done(found);
      budget.left -= weight(cursor.value) + weight(cursor.key);
      if (budget.left < 0) return done(found);
      found.keys.push(cursor.primaryKey);
      found.values.push(cursor.value);
      return cursor.continue();
    };
  });
}

/**
 * @param {IDBDatabase} database
 * @param {IDBObjectStore} store
 * @param {IDBValidKey[]} keys
 * @param {any[]} values
 * @param {string[]} unsaved
 */
async function encode_records(database, store, keys, values, unsaved) {
  const records = [];
  for (const [at, key] of keys.entries()) {
    try {
      const record = { valueEncoded: await encode(values[at]) };
      // A key with a key path is part of the value, so it need not be saved separately.
      records.push(store.keyPath === null ? { keyEncoded: await encode(key), ...record } : record);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      unsaved.push(`record ${at} of store ${store.name} of database ${database.name}: ${reason}`);
    }
  }
  return records;
}

/** @param {IDBIndex} index */
function describe_index(index) {
  return { name: index.name, multiEntry: index.multiEntry, unique: index.unique, ...key_path(index.keyPath) };
}

/** @param {string | string[] | null} path */
function key_path(path) {
  if (path === null) return {};
  return typeof path === 'string' ? { keyPath: path } : { keyPathArray: [...path] };
}
