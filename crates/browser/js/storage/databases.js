import { encode } from './encode.js';
import { request_done } from './request.js';

/**
 * A database as it is written down.
 *
 * @typedef {{name: string, version: number, stores: Store[]}} Database
 * @typedef {{name: string, autoIncrement: boolean, keyPath?: string, keyPathArray?: string[], records: StoredRecord[], indexes: Index[]}} Store
 * @typedef {{name: string, keyPath?: string, keyPathArray?: string[], multiEntry: boolean, unique: boolean}} Index
 * @typedef {{keyEncoded?: unknown, key?: unknown, valueEncoded?: unknown, value?: unknown}} StoredRecord
 */

/**
 * Reads every database of the origin.
 *
 * @returns {Promise<{databases: Database[], unsaved: string[]}>}
 */
export async function read_databases() {
  /** @type {Database[]} */
  const databases = [];
  /** @type {string[]} */
  const unsaved = [];
  /** @type {IDBDatabaseInfo[]} */
  let known = [];
  try {
    known = await indexedDB.databases();
  } catch {
    // A document that may not have databases has none.
  }
  for (const { name, version } of known) {
    if (name === undefined || version === undefined) continue;
    const database = await request_done(indexedDB.open(name));
    try {
      databases.push({ name, version, stores: await read_stores(database, unsaved) });
    } finally {
      database.close();
    }
  }
  return { databases, unsaved };
}

/**
 * @param {IDBDatabase} database
 * @param {string[]} unsaved
 */
async function read_stores(database, unsaved) {
  const names = [...database.objectStoreNames];
  if (names.length === 0) return [];
  const transaction = database.transaction(names, 'readonly');
  // A transaction ends as soon as nothing is asked of it: everything is asked for before anything is awaited.
  const asked = names.map((name) => {
    const store = transaction.objectStore(name);
    const indexes = [...store.indexNames].map((index) => describe_index(store.index(index)));
    const described = { name, autoIncrement: store.autoIncrement, ...key_path(store.keyPath), indexes };
    const contents = Promise.all([request_done(store.getAllKeys()), request_done(store.getAll())]);
    return { store, described, contents };
  });
  const stores = [];
  for (const { store, described, contents } of asked) {
    const [keys, values] = await contents;
    stores.push({ ...described, records: await encode_records(database, store, keys, values, unsaved) });
  }
  return stores;
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
      // A key that lies in the value is found there again.
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
