// Waits for a change of the page.

import { now } from './now.js';
import { watch_page } from './watch_page.js';

/** The shortest wait in milliseconds, so that a page that changes all the time cannot occupy the whole thread. */
const MIN_PAUSE = 16;

/**
 * Waits until the page may have changed, or the timeout passes.
 *
 * @param {number} ms
 * @returns {Promise<void>}
 */
export function next_change(ms) {
  const start = now();
  return new Promise((done) => {
    const end = setTimeout(finish, Math.max(0, ms));
    const page = watch_page(changed);

    function changed() {
      page.stop();
      setTimeout(finish, Math.max(0, start + MIN_PAUSE - now()));
    }

    function finish() {
      clearTimeout(end);
      page.stop();
      done();
    }
  });
}
