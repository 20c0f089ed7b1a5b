// Retries a check until it succeeds or a deadline passes.

import { now } from './now.js';
import { watch_page } from './watch_page.js';

/** The shortest time between two checks when the page keeps changing, in milliseconds. */
const MIN_PAUSE = 16;

/**
 * Runs a check at once, after every change of the page, and at the deadline, until it returns a value.
 *
 * The pause between two checks is at least four times what one costs, so that a page that changes all the time cannot
 * occupy the whole thread.
 *
 * @template T
 * @param {number} deadline_ms 0 checks once
 * @param {() => T | null} look the check; null means "not yet"
 * @returns {Promise<T | null>} null when the deadline passed
 */
export function until(deadline_ms, look) {
  const start = now();
  const first = look();
  const left = start + deadline_ms - now();
  if (first !== null || left <= 0) return Promise.resolve(first);
  return new Promise((done, fail) => {
    let paused_until = 0;
    let cost = now() - start;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let pending;
    const page = watch_page(changed);
    const end = setTimeout(at_end, left);

    function changed() {
      if (pending !== undefined) return;
      const wait = paused_until - now();
      if (wait > 0) pending = setTimeout(check, wait);
      else check();
    }

    function at_end() {
      // An expensive check that will probably fail must not delay the answer much.
      if (cost < left / 4) check();
      finish(null);
    }

    function check() {
      clearTimeout(pending);
      pending = undefined;
      const began = now();
      try {
        page.widen();
        const seen = look();
        if (seen !== null) finish(seen);
      } catch (error) {
        stop();
        fail(error);
      }
      cost = now() - began;
      paused_until = now() + Math.max(MIN_PAUSE, 4 * cost);
    }

    function stop() {
      page.stop();
      clearTimeout(end);
      clearTimeout(pending);
    }

    /** @param {T | null} value */
    function finish(value) {
      stop();
      done(value);
    }
  });
}
