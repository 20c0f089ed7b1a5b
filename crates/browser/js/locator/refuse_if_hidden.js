// Detects that a missing element may be inside a closed shadow root that the driver has not opened yet.

import { has_unasked_hosts } from '../tree/closed_hosts.js';
import { choose } from './choose.js';

/**
 * Returns the "not found" refusal at once, instead of waiting, if elements look like hosts of a closed shadow root and
 * the driver can still open them. The driver then opens the roots and calls again. Returns null otherwise.
 *
 * @param {Locator} locator
 * @param {Call} call
 * @returns {Refusal | null}
 */
export function refuse_if_hidden(locator, call) {
  if (!call.unsearched || !has_unasked_hosts({ likely: true })) return null;
  const chosen = choose(locator, call);
  return 'error' in chosen && 'unreachable' in chosen.error.evidence ? chosen : null;
}
