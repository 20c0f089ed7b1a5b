import { has_unasked_hosts } from '../tree/closed_hosts.js';
import { choose } from './choose.js';

/**
 * Gives the refusal of a locator that matches nothing, if there are elements that look as if a closed shadow root of
 * theirs held the match and the driver may be asked about them: it is, instead of waiting in vain.
 *
 * @param {Locator} locator
 * @param {Call} call
 * @returns {Refusal | null}
 */
export function may_hide(locator, call) {
  if (!call.unsearched || !has_unasked_hosts({ likely: true })) return null;
  const chosen = choose(locator, call);
  return 'error' in chosen && 'unreachable' in chosen.error.evidence ? chosen : null;
}
