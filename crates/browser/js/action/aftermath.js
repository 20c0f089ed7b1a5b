// `action.aftermath`: waits for the immediate effects of an action, such as followed links and submitted forms.

import { ok, refuse } from '../answer/answer.js';
import { last_call } from '../answer/last_call.js';
import { listen, unlisten } from '../native/node.js';
import { next_task } from '../wait/next_task.js';
import { outcome_of } from './gesture.js';

/** The event of the same input that follows the event which ends a gesture. @type {Record<string, string>} */
const RELEASE = { keydown: 'keyup', contextmenu: 'pointerup', pointerdown: 'pointerup' };

/** How long to wait for that event, in milliseconds. */
const FOLLOWING = 1000;

/**
 * Waits until the page has processed a gesture, or the previous call when no gesture is named: its listeners have run,
 * and the browser has followed links and submitted forms. The browser reports the resulting navigations and popups
 * before this function answers.
 *
 * @param {{gesture?: string}} args
 * @returns {Promise<Answer<{}>>}
 */
export async function action_aftermath({ gesture }) {
  const done = gesture === undefined ? await last_call() : await received(gesture);
  if (!done) return refuse('invalid_input', 'the action whose effects should be awaited did not succeed');
  // The first task runs after the event's default action, the second after a task that the default action queues, as
  // form submission does.
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
 * Returns whether an event arrives. It does not when the focus moves to another document, which then receives the
 * event; its effect there is unknown here.
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
