import { ok, refuse } from '../answer/answer.js';
import { listen_for } from './gesture.js';

/**
 * Waits until a gesture has ended and tells what its events reached.
 *
 * Once this call has begun, it answers while the browser delivers the last event, before anything that event causes: a
 * navigation or a dialog cannot take the answer away. So it is called before the gesture is announced.
 *
 * @param {{gesture: string, timeout_ms?: number}} args `timeout_ms` is how long the announcement may take
 * @returns {Promise<Answer<import('./sentry.js').Confirmation>>}
 */
export async function action_confirm({ gesture, timeout_ms = 0 }) {
  const confirmation = await listen_for(gesture, timeout_ms);
  if (!confirmation) return refuse('invalid_input', `no gesture \`${gesture}\` was announced in this document`);
  return ok(confirmation);
}
