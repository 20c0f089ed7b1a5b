// `action.begun`: reports that an action has been done, before the page's own handlers hear of it.

import { ok } from '../answer/answer.js';

/**
 * The action that is awaited, or was begun last.
 *
 * @type {{act: string, outcome: Promise<unknown>, settle: (value: unknown) => void} | null}
 */
let latest = null;

/**
 * Waits until an action is done, and returns what was noted about it; null if it never came to that.
 *
 * A handler of the page may load another document, and the browser drops answers that come after that has begun. The
 * driver therefore makes this call together with the one that acts, and this one is answered first.
 *
 * @param {{act: string, timeout_ms?: number}} args
 */
export async function action_begun({ act, timeout_ms = 0 }) {
  const { outcome } = entry(act);
  const timer = setTimeout(() => end_begun(act), timeout_ms);
  const begun = await outcome;
  clearTimeout(timer);
  return ok({ begun });
}

/**
 * Notes that an action is done.
 *
 * @param {string} act empty when nothing waits for it
 * @param {unknown} value
 */
export function note_begun(act, value) {
  if (act !== '') entry(act).settle(value);
}

/**
 * Ends the wait for an action that will not be done.
 *
 * @param {string} act
 */
export function end_begun(act) {
  if (latest?.act === act) latest.settle(null);
}

/**
 * Lets the answers leave that are due, without letting the page run anything.
 *
 * @returns {Promise<void>}
 */
export async function let_answers_leave() {
  // An answer takes a few turns of the microtask queue: from the noted value to the text that is sent.
  for (let turn = 0; turn < 32; turn += 1) await null;
}

/** @param {string} act */
function entry(act) {
  if (latest?.act === act) return latest;
  latest?.settle(null);
  /** @type {(value: unknown) => void} */
  let settle = () => {};
  const outcome = new Promise((done) => {
    settle = done;
  });
  latest = { act, outcome, settle };
  return latest;
}
