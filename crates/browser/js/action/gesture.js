import { announce, dismiss } from './sentry.js';

/** The longest a gesture is waited for when the caller does not say. */
const GESTURE_TIMEOUT = 10_000;

/**
 * @typedef {object} GestureArgs
 * @property {string} [gesture] the name under which the caller asks what became of it
 * @property {import('./sentry.js').Ending} [until] the event that ends the gesture; none is watched when absent
 * @property {number} [releases] how many times the button is released, 1 when absent
 * @property {string} [key] the key that is waited for, when a press of a key ends the gesture
 * @property {boolean} [guard] keeps a gesture that begins elsewhere from what it met; true when absent
 * @property {boolean} [beside] leaves the gestures that are being watched alone, as for the other end of a drag
 * @property {number} [gesture_timeout_ms]
 */

/**
 * @typedef {object} Entry
 * @property {boolean} listening whether somebody waits for the outcome
 * @property {boolean} announced
 * @property {import('./sentry.js').Ending | null} ending
 * @property {Promise<import('./sentry.js').Confirmation | null>} outcome null when it was never announced
 * @property {(outcome: import('./sentry.js').Confirmation | null) => void} settle
 */

/** The gestures that are listened for or watched, by name. @type {Map<string, Entry>} */
const gestures = new Map();

/** The gesture that was asked for last. */
let newest = '';

/**
 * Takes the turn for a gesture; one beside another has the turn of that one.
 *
 * @param {GestureArgs} args
 * @returns {string}
 */
export function take_turn({ until, gesture = '', beside = false }) {
  if (until && !beside) newest = gesture;
  return newest;
}

/**
 * Says whether another gesture was asked for since. Nobody waits for this one any more then, and it must not take the
 * other one's place.
 *
 * @param {GestureArgs} args
 * @param {string} turn
 */
export function is_over({ until }, turn) {
  return Boolean(until) && turn !== newest;
}

/**
 * Begins to watch a gesture, if one is asked for. Tells whether somebody already listens for its end, so that nothing
 * which the end causes can take the news away; null when none is asked for.
 *
 * @param {import('./sentry.js').Watch['target']} target
 * @param {GestureArgs} args
 * @returns {boolean | null}
 */
export function begin_gesture(target, args) {
  const { until, gesture = '', releases = 1, guard = true, key = null } = args;
  if (!until) return null;
  take_turn(args);
  if (!args.beside) forget_all_but(gesture);
  if (gestures.get(gesture)?.announced) gestures.delete(gesture);
  const entry = entry_of(gesture);
  entry.announced = true;
  entry.ending = until;
  const watch = { target, ending: until, releases, guard, key, settled: entry.settle };
  announce(watch, args.gesture_timeout_ms ?? GESTURE_TIMEOUT);
  return entry.listening;
}

/**
 * Gives up a gesture that was listened for and will not be announced.
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
 * Listens for the end of a gesture, which may be announced later.
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
 * Waits for the end of a gesture as somebody who only looks on.
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
  const entry = { listening: false, announced: false, ending: null, outcome, settle };
  gestures.set(gesture, entry);
  return entry;
}
