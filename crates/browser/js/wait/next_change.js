import { watch_page } from './watch_page.js';

/**
 * Waits until the page may have changed, or the time is over.
 *
 * @param {number} ms
 * @returns {Promise<void>}
 */
export function next_change(ms) {
  return new Promise((done) => {
    const end = setTimeout(finish, Math.max(0, ms));
    const page = watch_page(finish);
    function finish() {
      clearTimeout(end);
      page.stop();
      done();
    }
  });
}
