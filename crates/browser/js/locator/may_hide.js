import { choose } from './choose.js';
import { hidden_hosts } from './hidden_hosts.js';

/**
 * Gives the refusal of a locator that matches nothing, if a closed shadow root may hold the match and the driver has not
 * looked for closed roots yet; then it is told to, instead of waiting in vain.
 *
 * @param {Locator} locator
 * @param {Call} call
 * @returns {Refusal | null}
 */
export function may_hide(locator, call) {
  if (!call.unsearched || hidden_hosts(document).length === 0) return null;
  const chosen = choose(locator, call);
  return 'error' in chosen && 'unreachable' in chosen.error.evidence ? chosen : null;
}
