/**
 * Makes everything that differs between two loads of one page the same: the time of day, the age of the page, and random
 * numbers. Timers, frames and requests of the page run as always. The clock stands still until a timer or a frame of the
 * page begins, which finds it where it expected it to be. So what is shown does not depend on the speed of the machine, and
 * code that waits for time to pass still ends.
 *
 * The driver runs this in the page's own world, before the first script of every document, frame and worker.
 *
 * @param {number} at the time of day when a document begins, in milliseconds since 1970
 * @param {number} seed decides about the random numbers
 * @param {boolean} moves whether timers and frames carry the clock on
 */
function steady(at, seed, moves) {
  'use strict';
  const mark = Symbol.for('actions.steady');
  const world = /** @type {any} */ (globalThis);
  // A frame keeps its global object when it goes from its first, empty document to one of the same origin.
  if (world[mark]) return;
  Object.defineProperty(world, mark, { value: true });

  /** Code that reads the clock so often within one task waits for it to move. */
  const PATIENCE = 5_000;
  const FRAME = 16;
  const { apply, construct, defineProperty, getOwnPropertyDescriptor } = Reflect;
  /** The age of the document in milliseconds. */
  let passed = 0;
  let reads = 0;

  const age = () => {
    reads += 1;
    if (moves && reads > PATIENCE) passed += 1;
    return passed;
  };
  const now = () => at + Math.floor(age());
  /** @param {number} due */
  const carry = (due) => {
    reads = 0;
    if (moves && due > passed) passed = due;
  };
  /**
   * @param {any} owner
   * @param {PropertyKey} key
   * @param {any} value
   */
  const put = (owner, key, value) => {
    const before = owner && getOwnPropertyDescriptor(owner, key);
    if (before?.configurable) defineProperty(owner, key, { ...before, value });
  };
  /**
   * @param {any} owner
   * @param {PropertyKey} key
   * @param {(this: any, before: () => any) => any} get
   */
  const put_getter = (owner, key, get) => {
    const before = owner && getOwnPropertyDescriptor(owner, key);
    if (!before?.configurable || !before.get) return;
    const real = before.get;
    defineProperty(owner, key, {
      ...before,
      get() {
        return apply(get, this, [() => apply(real, this, [])]);
      },
    });
  };

  // Dates.
  const RealDate = Date;
  const SteadyDate = new Proxy(RealDate, {
    construct: (target, given, made) => construct(target, given.length === 0 ? [now()] : given, made),
    apply: () => new RealDate(now()).toString(),
  });
  put(RealDate, 'now', () => now());
  put(RealDate.prototype, 'constructor', SteadyDate);
  put(world, 'Date', SteadyDate);
  const format = Intl.DateTimeFormat.prototype;
  put_getter(format, 'format', (before) => {
    const real = before();
    return (/** @type {any} */ date) => real(date === undefined ? now() : date);
  });
  const { formatToParts } = format;
  put(format, 'formatToParts', function (/** @type {any} */ date) {
    // @ts-ignore `this` is whatever the page calls it on.
    return apply(formatToParts, this, [date === undefined ? now() : date]);
  });
  const { Temporal } = world;
  if (Temporal?.Now) {
    const instant = () => Temporal.Instant.fromEpochMilliseconds(now());
    const zoned = (/** @type {any} */ zone) => instant().toZonedDateTimeISO(zone ?? Temporal.Now.timeZoneId());
    put(Temporal.Now, 'instant', instant);
    put(Temporal.Now, 'zonedDateTimeISO', zoned);
    put(Temporal.Now, 'plainDateTimeISO', (/** @type {any} */ zone) => zoned(zone).toPlainDateTime());
    put(Temporal.Now, 'plainDateISO', (/** @type {any} */ zone) => zoned(zone).toPlainDate());
    put(Temporal.Now, 'plainTimeISO', (/** @type {any} */ zone) => zoned(zone).toPlainTime());
  }

  // The age of the page.
  put(world.Performance?.prototype, 'now', () => age());
  put_getter(world.Performance?.prototype, 'timeOrigin', () => at);
  put_getter(world.Event?.prototype, 'timeStamp', () => passed);

  // Timers and frames.
  const { setTimeout: real_timeout, setInterval: real_interval, requestAnimationFrame: real_frame } = world;
  /** @param {any} delay */
  const wait = (delay) => Math.max(0, Number(delay) || 0);
  /**
   * @param {any} real
   * @param {boolean} repeats
   */
  const timer = (real, repeats) =>
    function (/** @type {any} */ callback, /** @type {any} */ delay, /** @type {any[]} */ ...given) {
      if (typeof callback !== 'function') return apply(real, world, [callback, delay, ...given]);
      let due = passed + wait(delay);
      const run = function (/** @type {any[]} */ ...values) {
        carry(due);
        if (repeats) due = passed + Math.max(1, wait(delay));
        // @ts-ignore `this` is the global object, as for every timer.
        return apply(callback, this, values);
      };
      return apply(real, world, [run, delay, ...given]);
    };
  put(world, 'setTimeout', timer(real_timeout, false));
  put(world, 'setInterval', timer(real_interval, true));
  if (real_frame) {
    let painted = -1;
    let frame = 0;
    put(world, 'requestAnimationFrame', (/** @type {any} */ callback) => {
      if (typeof callback !== 'function') return apply(real_frame, world, [callback]);
      const run = (/** @type {number} */ time) => {
        // All callbacks of one frame have the same time.
        if (time !== painted) {
          painted = time;
          frame = passed + FRAME;
        }
        carry(frame);
        return apply(callback, world, [passed]);
      };
      return apply(real_frame, world, [run]);
    });
  }

  // Random numbers: a different sequence for each path, always the same one. The path of a `blob:` is itself random.
  let state = seed >>> 0;
  const { protocol = '', pathname = '' } = world.location ?? {};
  for (const letter of /^https?:$/.test(protocol) ? pathname : '') {
    state = Math.imul(state ^ /** @type {number} */ (letter.codePointAt(0)), 0x01000193) >>> 0;
  }
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  put(Math, 'random', () => ((next() >>> 5) * 0x4000000 + (next() >>> 6)) / 0x20000000000000);
  const source = world.Crypto?.prototype;
  const { getRandomValues } = source ?? {};
  if (getRandomValues) {
    put(source, 'getRandomValues', function (/** @type {any} */ array) {
      // It refuses what it always refuses.
      // @ts-ignore `this` is whatever the page calls it on.
      apply(getRandomValues, this, [array]);
      const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
      bytes.forEach((_, at_byte) => (bytes[at_byte] = next()));
      return array;
    });
    put(source, 'randomUUID', () => {
      const bytes = Array.from({ length: 16 }, () => next() & 255);
      bytes[6] = (/** @type {number} */ (bytes[6]) & 15) | 64;
      bytes[8] = (/** @type {number} */ (bytes[8]) & 63) | 128;
      const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
      return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
    });
  }
}
