// Encodes structured-cloneable values as JSON, for saved storage.

import { to_base64 } from './base64.js';

/** Numbers that JSON cannot represent. */
const NUMBERS = new Map([
  [Infinity, 'Infinity'],
  [-Infinity, '-Infinity'],
]);

/**
 * Encodes a value as JSON. Values that JSON has are encoded as themselves, and all others as an object with one short
 * key that names the kind. Objects are numbered, so that shared and cyclic references are encoded once.
 *
 * @param {unknown} value
 * @returns {Promise<unknown>}
 */
export async function encode(value) {
  return encode_inner(value, new Map());
}

/**
 * @param {unknown} value
 * @param {Map<object, number>} seen
 * @returns {Promise<unknown>}
 */
async function encode_inner(value, seen) {
  if (value === undefined) return { v: 'undefined' };
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') return encode_number(value);
  if (typeof value === 'bigint') return { bi: value.toString() };
  if (typeof value !== 'object') throw new Error(`a value of type ${typeof value} cannot be saved`);
  const number = seen.get(value);
  if (number !== undefined) return { ref: number };
  const id = seen.size + 1;
  seen.set(value, id);
  return (await encode_special(value, id, seen)) ?? encode_plain(value, id, seen);
}

/** @param {number} value */
function encode_number(value) {
  if (Number.isNaN(value)) return { v: 'NaN' };
  if (Object.is(value, -0)) return { v: '-0' };
  return NUMBERS.has(value) ? { v: NUMBERS.get(value) } : value;
}

/**
 * @param {object} value
 * @param {number} id
 * @param {Map<object, number>} seen
 */
async function encode_special(value, id, seen) {
  if (value instanceof Date) return { d: Number.isNaN(value.getTime()) ? null : value.toISOString(), id };
  if (value instanceof RegExp) return { r: { p: value.source, f: value.flags }, id };
  if (value instanceof Error) return { e: { n: value.name, m: value.message, s: value.stack ?? '' }, id };
  if (value instanceof ArrayBuffer) return { ab: { b: to_base64(new Uint8Array(value)) }, id };
  if (ArrayBuffer.isView(value)) {
    const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    return { ta: { k: value.constructor.name, b: to_base64(bytes) }, id };
  }
  if (value instanceof Blob) {
    const file = value instanceof File ? { name: value.name, modified: value.lastModified } : {};
    return { blob: { type: value.type, b: to_base64(new Uint8Array(await value.arrayBuffer())), ...file }, id };
  }
  if (value instanceof Map) {
    const entries = [];
    for (const [key, item] of value) entries.push([await encode_inner(key, seen), await encode_inner(item, seen)]);
    return { map: entries, id };
  }
  if (value instanceof Set) {
    const items = [];
    for (const item of value) items.push(await encode_inner(item, seen));
    return { set: items, id };
  }
  return null;
}

/**
 * @param {object} value
 * @param {number} id
 * @param {Map<object, number>} seen
 */
async function encode_plain(value, id, seen) {
  if (Array.isArray(value)) {
    const items = [];
    for (const item of value) items.push(await encode_inner(item, seen));
    return { a: items, id };
  }
  const kind = Object.prototype.toString.call(value).slice(8, -1);
  if (kind !== 'Object') throw new Error(`a value of type ${kind} cannot be saved`);
  const fields = [];
  for (const [key, item] of Object.entries(value)) fields.push({ k: key, v: await encode_inner(item, seen) });
  return { o: fields, id };
}
