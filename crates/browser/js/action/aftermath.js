import { ok, refuse } from '../answer/answer.js';
import { last_call } from '../answer/last_call.js';
import { listen } from '../native/node.js';
import { next_task } from '../wait/next_task.js';
import { outcome_of } from './gesture.js';

/** The event of the same input that follows the event which ends a gesture. @type {Record<string, string>} */
const RELEASE = { keydown: 'keyup', contextmenu: 'pointerup', pointerdown: 'pointerup' };

/** How long it may take to follow: another document may get it. */
const FOLLOWING = 100;

/**
 * Waits until the page has done what a gesture, or else the call before this one, made it do at once: its listeners have
 * run, the browser has followed links and sent forms. What they want to go to or to open is told before this answers.
 *
 * @param {{gesture?: string}} args
 * @returns {Promise<Answer<{}>>}
 */
export async function action_aftermath({ gesture }) {
  const done = gesture === undefined ? await last_call() : await received(gesture);
  if (!done) return refuse('invalid_input', 'nothing was done whose aftermath could be told');
  // The first is behind what the event does, the second behind what that puts off for a task: forms are sent so.
  await next_task();
  await next_task();
  return ok({});
}

/**
 * @param {string} gesture
 * @returns {Promise<boolean>}
 */
async function received(gesture) {
  const { outcome, ending } = await outcome_of(gesture);
  if (!outcome?.received) return false;
  if (ending && RELEASE[ending]) await follows(RELEASE[ending]);
  return true;
}

/**
 * @param {string} type
 * @returns {Promise<void>}
 */
function follows(type) {
  return new Promise((done) => {
    listen(window, type, () => done(), { capture: true, once: true });
    setTimeout(done, FOLLOWING);
  });
}
