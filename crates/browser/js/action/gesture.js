// Keeps the gestures that are announced or awaited, by name, and connects calls that prepare a gesture with calls that
// wait for its outcome.

import { end_begun, note_begun } from './begun.js';
import { announce, dismiss } from './sentry.js';

/** The default time to wait for the end of a gesture, in milliseconds. */
const GESTURE_TIMEOUT = 10_000;

/**
 * @typedef {object} GestureArgs
 * @property {string} [gesture] the name under which `action.confirm` waits for the outcome
 * @property {import('./sentry.js').Ending} [until] the event that ends the gesture; nothing is watched when absent
 * @property {number} [releases] how many times the button is released; 1 when absent
 * @property {string} [key] the key, when a key press ends the gesture
 * @property {boolean} [guard] blocks a gesture that begins on another element; true when absent
 * @property {boolean} [beside] keeps watching earlier gestures too, as for the second end of a drag
 * @property {number} [gesture_timeout_ms]
 */

/**
 * @typedef {object} Entry
 * @property {boolean} listening whether a call is waiting for the outcome
 * @property {boolean} announced
 * @property {import('./sentry.js').Ending | null} ending
 * @property {Promise<import('./sentry.js').Confirmation | null>} outcome null when the gesture was never announced
 * @property {(outcome: import('./sentry.js').Confirmation | null) => void} settle
 */

/** The gestures that are awaited or watched, by name. @type {Map<string, Entry>} */
const gestures = new Map();

/** The name of the most recent gesture. */
let newest = '';

/**
 * Makes a gesture the most recent one and returns its turn. A gesture `beside` another shares the turn of that one.
 *
 * @param {GestureArgs} args
 * @returns {string}
 */
export function take_turn({ until, gesture = '', beside = false }) {
  if (until && !beside) newest = gesture;
  return newest;
}

/**
 * Returns whether a newer gesture has replaced this one. No call waits for it any more, and it must not displace the
 * newer one.
 *
 * @param {GestureArgs} args
 * @param {string} turn
 */
export function is_superseded({ until }, turn) {
  return Boolean(until) && turn !== newest;
}

/**
 * Starts watching a gesture if the arguments ask for one. Returns whether a call is already waiting for its end, so
 * that no consequence of the gesture can swallow the outcome; null when no gesture was asked for.
 *
 * @param {import('./sentry.js').Watch['target']} target
 * @param {GestureArgs} args
 * @param {import('./sentry.js').Checks} [checks]
 * @returns {boolean | null}
 */
export function begin_gesture(target, args, checks = {}) {
  const { until, gesture = '', releases = 1, guard = true, key = null } = args;
  if (!until) return null;
  take_turn(args);
  if (!args.beside) forget_all_but(gesture);
  if (gestures.get(gesture)?.announced) gestures.delete(gesture);
  const entry = entry_of(gesture);
  entry.announced = true;
  entry.ending = until;
  const watch = { target, ending: until, releases, guard, key, checks, pressed_on, settled: entry.settle };
  announce(watch, args.gesture_timeout_ms ?? GESTURE_TIMEOUT);
  return entry.listening;

  /** @param {string} on */
  function pressed_on(on) {
    note_begun(gesture, { on });
  }
}

/**
 * Drops a gesture that is awaited but will not be announced.
 *
 * @param {GestureArgs} args
 */
export function abandon_gesture({ gesture = '' }) {
  const entry = gestures.get(gesture);
  if (!entry || entry.announced) return;
  gestures.delete(gesture);
  entry.settle(null);
}

/**
 * Waits for the end of a gesture that may be announced later.
 *
 * @param {string} gesture
 * @param {number} timeout_ms
 * @returns {Promise<import('./sentry.js').Confirmation | null>}
 */
export async function listen_for(gesture, timeout_ms) {
  const entry = entry_of(gesture);
  entry.listening = true;
  const timer = setTimeout(() => abandon_gesture({ gesture }), timeout_ms);
  const outcome = await entry.outcome;
  clearTimeout(timer);
  if (gestures.get(gesture) === entry) gestures.delete(gesture);
  return outcome;
}

/**
 * Waits for the end of a gesture without registering as its listener.
 *
 * @param {string} gesture
 */
export async function outcome_of(gesture) {
  const entry = entry_of(gesture);
  return { outcome: await entry.outcome, ending: entry.ending };
}

/** @param {string} gesture */
function forget_all_but(gesture) {
  dismiss();
  for (const [name, entry] of gestures) {
    if (name === gesture) continue;
    gestures.delete(name);
    entry.settle(null);
  }
}

/**
 * @param {string} gesture
 * @returns {Entry}
 */
function entry_of(gesture) {
  const known = gestures.get(gesture);
  if (known) return known;
  /** @type {Entry['settle']} */
  let settle = () => {};
  const outcome = new Promise((/** @type {Entry['settle']} */ done) => {
    settle = done;
  });
  /** @type {Entry} */
  const entry = { listening: false, announced: false, ending: null, outcome, settle: ended };
  gestures.set(gesture, entry);
  return entry;

  /** @param {import('./sentry.js').Confirmation | null} seen */
  function ended(seen) {
    end_begun(gesture);
    settle(seen);
  }
}
