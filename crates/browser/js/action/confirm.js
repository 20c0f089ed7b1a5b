// `action.confirm`: reports which element received a gesture.

import { ok, refuse } from '../answer/answer.js';
import { listen_for } from './gesture.js';

/**
 * Waits until a gesture has ended and returns what its events reached.
 *
 * The driver makes this call before it announces the gesture. The call then answers while the browser dispatches the
 * last event, so a navigation or a dialog that the event causes cannot swallow the answer.
 *
 * @param {{gesture: string, timeout_ms?: number}} args `timeout_ms` is how long to wait for the announcement
 * @returns {Promise<Answer<import('./sentry.js').Confirmation>>}
 */
export async function action_confirm({ gesture, timeout_ms = 0 }) {
  const confirmation = await listen_for(gesture, timeout_ms);
  if (!confirmation) return refuse('invalid_input', `no gesture \`${gesture}\` was announced in this document`);
  return ok(confirmation);
}
