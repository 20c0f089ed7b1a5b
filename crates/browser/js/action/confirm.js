import { ok, refuse } from '../answer/answer.js';
import { confirmation_of } from './gesture.js';

/**
 * Waits until a gesture has ended and tells what its events reached.
 *
 * Once this call has begun, it answers while the browser delivers the last event, before anything that event causes: a
 * navigation or a dialog cannot take the answer away. So it is called before the input is sent.
 *
 * @param {{token: number}} args
 * @returns {Promise<Answer<import('./sentry.js').Confirmation>>}
 */
export async function action_confirm({ token }) {
  const confirmation = confirmation_of(token);
  if (!confirmation) return refuse('invalid_input', `no gesture ${token} was announced in this document`);
  return ok(await confirmation);
}
