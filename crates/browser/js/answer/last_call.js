// Remembers whether the previous call succeeded, for `action.aftermath`, which waits for the effects of that call.

/** Functions that wait for another call; they are not remembered themselves. */
const WAITING = new Set(['action.aftermath', 'action.begun']);

/** Whether the previous call succeeded. @type {Promise<boolean>} */
let last = Promise.resolve(false);

/**
 * Remembers the answer of a call for `last_call`.
 *
 * @param {string} name
 * @param {Answer | Promise<Answer>} answer
 */
export function note_call(name, answer) {
  if (!WAITING.has(name)) last = Promise.resolve(answer).then((given) => 'ok' in given, () => false);
}

/** Waits for the previous call to end and returns whether it succeeded. */
export function last_call() {
  return last;
}
