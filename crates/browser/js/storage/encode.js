// Encodes structured-cloneable values as JSON, for saved storage.

import { to_base64 } from './base64.js';

/** Numbers that JSON cannot represent. */
const NUMBERS = new Map([
  [Infinity, 'Infinity'],
  [-Infinity, '-Infinity'],
]);

/** The names of typed arrays in the notation of Playwright. Others are written in full. */
const SHORT_NAMES = /** @type {Record<string, string>} */ ({
  Int8Array: 'i8',
  Uint8Array: 'ui8',
  Uint8ClampedArray: 'ui8c',
  Int16Array: 'i16',
  Uint16Array: 'ui16',
  Int32Array: 'i32',
  Uint32Array: 'ui32',
  Float32Array: 'f32',
  Float64Array: 'f64',
  BigInt64Array: 'bi64',
  BigUint64Array: 'bui64',
});

/**
 * Encodes a value as JSON, in the notation of Playwright's storage states as far as that goes. Values that JSON has are
 * encoded as themselves, and all others as an object with one short key that names the kind. Containers are numbered, so
 * that shared and cyclic references are encoded once.
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
  if (value === null) return { v: 'null' };
  if (typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') return encode_number(value);
  if (typeof value === 'bigint') return { bi: value.toString() };
  if (typeof value !== 'object') throw new Error(`a value of type ${typeof value} cannot be saved`);
  const number = seen.get(value);
  if (number !== undefined) return { ref: number };
  return (await encode_single(value)) ?? encode_container(value, seen);
}

/** @param {number} value */
function encode_number(value) {
  if (Number.isNaN(value)) return { v: 'NaN' };
  if (Object.is(value, -0)) return { v: '-0' };
  return NUMBERS.has(value) ? { v: NUMBERS.get(value) } : value;
}

/**
 * Encodes an object that contains no others.
 *
 * @param {object} value
 */
async function encode_single(value) {
  if (value instanceof Date) return { d: Number.isNaN(value.getTime()) ? null : value.toISOString() };
  if (value instanceof RegExp) return { r: { p: value.source, f: value.flags } };
  if (value instanceof Error) return { e: { n: value.name, m: value.message, s: value.stack ?? '' } };
  if (value instanceof ArrayBuffer) return { ab: { b: to_base64(new Uint8Array(value)) } };
  if (ArrayBuffer.isView(value)) {
    const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    const name = value.constructor.name;
    return { ta: { k: SHORT_NAMES[name] ?? name, b: to_base64(bytes) } };
  }
  if (value instanceof Blob) {
    const file = value instanceof File ? { name: value.name, modified: value.lastModified } : {};
    return { blob: { type: value.type, b: to_base64(new Uint8Array(await value.arrayBuffer())), ...file } };
  }
  return null;
}

/**
 * @param {object} value
 * @param {Map<object, number>} seen
 */
async function encode_container(value, seen) {
  const id = seen.size + 1;
  seen.set(value, id);
  if (value instanceof Map) {
    const entries = [];
    for (const [key, item] of value) {
      entries.push({ k: await encode_inner(key, seen), v: await encode_inner(item, seen) });
    }
    return { m: entries, id };
  }
  if (value instanceof Set) {
    const items = [];
    for (const item of value) items.push(await encode_inner(item, seen));
    return { s: items, id };
  }
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
