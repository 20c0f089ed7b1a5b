import { ok, refuse } from '../answer/answer.js';
import { last_call } from '../answer/last_call.js';
import { listen, unlisten } from '../native/node.js';
import { next_task } from '../wait/next_task.js';
import { outcome_of } from './gesture.js';

/** The event of the same input that follows the event which ends a gesture. @type {Record<string, string>} */
const RELEASE = { keydown: 'keyup', contextmenu: 'pointerup', pointerdown: 'pointerup' };

/** How long it may take to follow. */
const FOLLOWING = 1000;

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
  return ending && RELEASE[ending] ? follows(RELEASE[ending]) : true;
}

/**
 * Says whether an event came. It does not when another document has got the focus and gets the event too; what it does
 * there is not known here.
 *
 * @param {string} type
 * @returns {Promise<boolean>}
 */
function follows(type) {
  return new Promise((done) => {
    const timer = setTimeout(missed, FOLLOWING);
    listen(window, type, came, { capture: true });
    listen(window, 'blur', missed);
    function came() {
      finish(true);
    }
    function missed() {
      finish(false);
    }
    /** @param {boolean} came_here */
    function finish(came_here) {
      clearTimeout(timer);
      unlisten(window, type, came, { capture: true });
      unlisten(window, 'blur', missed);
      done(came_here);
    }
  });
}
