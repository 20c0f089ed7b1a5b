// Decodes values that `encode.js` encoded.

import { from_base64 } from './base64.js';

/** @type {Record<string, unknown>} */
const WORDS = { undefined, null: null, NaN: NaN, Infinity: Infinity, '-Infinity': -Infinity, '-0': -0 };

/** Short names of typed arrays that other tools use in this encoding. */
const SHORT_NAMES = /** @type {Record<string, string>} */ ({
  i8: 'Int8Array',
  ui8: 'Uint8Array',
  ui8c: 'Uint8ClampedArray',
  i16: 'Int16Array',
  ui16: 'Uint16Array',
  i32: 'Int32Array',
  ui32: 'Uint32Array',
  f32: 'Float32Array',
  f64: 'Float64Array',
  bi64: 'BigInt64Array',
  bui64: 'BigUint64Array',
});

const ARRAYS = /** @type {Record<string, new (buffer: ArrayBuffer) => ArrayBufferView>} */ ({
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
  DataView,
});

/**
 * Decodes what `encode` returned.
 *
 * @param {any} written
 * @returns {unknown}
 */
export function decode(written) {
  return decode_inner(written, new Map());
}

/**
 * @param {any} written
 * @param {Map<number, unknown>} seen
 * @returns {unknown}
 */
function decode_inner(written, seen) {
  if (written === null || typeof written !== 'object') return written;
  if ('v' in written) return WORDS[written.v];
  if ('ref' in written) return seen.get(written.ref);
  if ('bi' in written) return BigInt(written.bi);
  const remember = (/** @type {unknown} */ value) => {
    if ('id' in written) seen.set(written.id, value);
    return value;
  };
  const again = (/** @type {any} */ inner) => decode_inner(inner, seen);
  if ('a' in written) {
    const items = /** @type {unknown[]} */ (remember([]));
    for (const item of written.a) items.push(again(item));
    return items;
  }
  if ('o' in written) {
    const value = /** @type {Record<string, unknown>} */ (remember({}));
    for (const { k, v } of written.o) {
      // Define the property, because an assignment to `__proto__` would set the prototype.
      Object.defineProperty(value, k, { value: again(v), writable: true, enumerable: true, configurable: true });
    }
    return value;
  }
  if ('m' in written) {
    const value = /** @type {Map<unknown, unknown>} */ (remember(new Map()));
    for (const { k, v } of written.m) value.set(again(k), again(v));
    return value;
  }
  if ('s' in written) {
    const value = /** @type {Set<unknown>} */ (remember(new Set()));
    for (const item of written.s) value.add(again(item));
    return value;
  }
  return remember(decode_single(written));
}

/** @param {any} written */
function decode_single(written) {
  if ('d' in written) return new Date(written.d ?? NaN);
  if ('r' in written) return new RegExp(written.r.p, written.r.f);
  if ('e' in written) {
    const error = new Error(written.e.m);
    error.name = written.e.n;
    error.stack = written.e.s;
    return error;
  }
  if ('ab' in written) return from_base64(written.ab.b).buffer;
  if ('ta' in written) {
    const kind = ARRAYS[SHORT_NAMES[written.ta.k] ?? written.ta.k];
    if (!kind) throw new Error(`the typed array ${written.ta.k} is unknown`);
    return new kind(from_base64(written.ta.b).buffer);
  }
  if ('blob' in written) {
    const { type, b, name, modified } = written.blob;
    const bytes = from_base64(b);
    return name === undefined ? new Blob([bytes], { type }) : new File([bytes], name, { type, lastModified: modified });
  }
  if ('u' in written) return written.u;
  throw new Error(`the encoding ${Object.keys(written).join(', ')} is unknown`);
}
