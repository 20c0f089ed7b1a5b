import { announce } from './sentry.js';

/** The longest a gesture is waited for when the caller does not say. */
const GESTURE_TIMEOUT = 10_000;

/** The last gesture that was announced, and what became of it. */
let last = { token: 0, confirmation: /** @type {Promise<import('./sentry.js').Confirmation> | null} */ (null) };

/**
 * @typedef {object} GestureArgs
 * @property {import('./sentry.js').Ending} [until] the event that ends the gesture; none is watched when absent
 * @property {number} [releases] how many times the button is released, 1 when absent
 * @property {boolean} [guard] keeps a gesture that begins elsewhere from what it met; true when absent
 * @property {number} [gesture_timeout_ms]
 */

/**
 * Begins to watch a gesture, if one is asked for, and gives the token by which it is confirmed.
 *
 * @param {Element | null} target
 * @param {GestureArgs} args
 * @returns {number | null}
 */
export function begin_gesture(target, args) {
  if (!args.until) return null;
  const { until, releases = 1, guard = true, gesture_timeout_ms = GESTURE_TIMEOUT } = args;
  const token = last.token + 1;
  last = { token, confirmation: announce({ target, ending: until, releases, guard }, gesture_timeout_ms) };
  return token;
}

/**
 * Gives what becomes of a gesture, if it is the last one that was announced.
 *
 * @param {number} token
 * @returns {Promise<import('./sentry.js').Confirmation> | null}
 */
export function confirmation_of(token) {
  return token === last.token ? last.confirmation : null;
}
