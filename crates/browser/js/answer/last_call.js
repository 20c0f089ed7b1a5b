// Remembers whether the previous call succeeded, for `action.aftermath`, which waits for the effects of that call.

/** The function that asks about the previous call; it is not remembered itself. */
const AFTERMATH = 'action.aftermath';

/** Whether the previous call succeeded. @type {Promise<boolean>} */
let last = Promise.resolve(false);

/**
 * Remembers the answer of a call for `last_call`.
 *
 * @param {string} name
 * @param {Answer | Promise<Answer>} answer
 */
export function note_call(name, answer) {
  if (name !== AFTERMATH) last = Promise.resolve(answer).then((given) => 'ok' in given, () => false);
}

/** Waits for the previous call to end and returns whether it succeeded. */
export function last_call() {
  return last;
}
