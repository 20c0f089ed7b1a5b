// Waits until a value holds.

import { now } from './now.js';
import { reaction } from './reaction.js';
import { until } from './until.js';

/** How long a value must hold, in milliseconds: longer than the timers in which pages undo a change. */
const HOLD = 40;

/**
 * Waits until a test holds, and still holds after two frames and a pause in which the page may undo it.
 *
 * @param {() => boolean} holds
 * @param {number} deadline_ms how long the value may take to come
 * @param {import('./departure.js').Departure} departure
 * @returns {Promise<boolean>} whether it holds at the end
 */
export async function held(holds, deadline_ms, departure) {
  const end = now() + deadline_ms;
  for (;;) {
    await reaction(departure, HOLD);
    const left = end - now();
    if (holds() || departure.has_begun() || left <= 0) return holds();
    await Promise.race([until(left, () => (holds() ? true : null)), departure.begun]);
  }
}
