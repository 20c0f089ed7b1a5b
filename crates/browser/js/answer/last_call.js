/** The function that tells of the aftermath of another call. */
const AFTERMATH = 'action.aftermath';

/** What became of the call before: whether it did what it was asked to. @type {Promise<boolean>} */
let last = Promise.resolve(false);

/**
 * Keeps the answer of a call for the one that asks what came after it.
 *
 * @param {string} name
 * @param {Answer | Promise<Answer>} answer
 */
export function note_call(name, answer) {
  if (name !== AFTERMATH) last = Promise.resolve(answer).then((given) => 'ok' in given, () => false);
}

/** Waits for the end of the call before, and says whether it did what it was asked to. */
export function last_call() {
  return last;
}
