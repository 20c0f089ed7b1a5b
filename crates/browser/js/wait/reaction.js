// Waits for the page to react to input.

import { next_frame } from './next_frame.js';

/** How long to wait for frames that the browser does not paint, in milliseconds. */
const UNPAINTED = 500;

/**
 * Waits for two animation frames and at least `least_ms`, so that the page's own handlers have run. Ends early when the
 * document is about to be replaced.
 *
 * @param {import('./departure.js').Departure} departure
 * @param {number} [least_ms]
 * @returns {Promise<void>}
 */
export async function reaction(departure, least_ms = 0) {
  const painted = Promise.race([two_frames(), pause(UNPAINTED)]);
  await Promise.race([departure.begun, Promise.all([painted, pause(least_ms)])]);
}

async function two_frames() {
  await next_frame();
  await next_frame();
}

/**
 * @param {number} ms
 * @returns {Promise<void>}
 */
function pause(ms) {
  return new Promise((done) => {
    setTimeout(done, ms);
  });
}
