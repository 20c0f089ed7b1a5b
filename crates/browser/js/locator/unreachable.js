import { refuse } from '../answer/answer.js';
import { target_label } from '../facts/describe.js';
import { has_unasked_hosts, hosts_left_out, likely_hosts } from '../tree/closed_hosts.js';

/** How many hosts are named. */
const MAX_NAMED = 10;

/**
 * Tells where something may be that was not found, as part of the evidence: in closed shadow roots that the driver was
 * not asked about, or that are too many to ask about.
 *
 * @returns {{unreachable?: {possible_hosts: string[], left_out?: number}}}
 */
export function unreachable() {
  const left_out = hosts_left_out();
  if (left_out === 0 && !has_unasked_hosts()) return {};
  const possible_hosts = likely_hosts(MAX_NAMED).map(target_label);
  return { unreachable: { possible_hosts, ...(left_out > 0 ? { left_out } : {}) } };
}

/**
 * Refuses to say that a list is empty as long as there are elements that look as if a closed shadow root of theirs held
 * what belongs to it, and that the driver was never asked about; null otherwise. Unlike what a locator means, a list may
 * well be empty, and is read often.
 *
 * @param {Call} call
 * @param {Record<string, unknown>} evidence
 * @returns {Refusal | null}
 */
export function refuse_to_call_empty(call, evidence) {
  if (!call.unsearched || !has_unasked_hosts({ likely: true, once: true })) return null;
  return refuse('payload_too_large', 'closed shadow roots may hold what was not found', {
    ...evidence,
    unreachable: { possible_hosts: likely_hosts(MAX_NAMED).map(target_label) },
  });
}

/**
 * Refuses to say that nothing is there as long as a closed shadow root may hold it, or the search did not see all of the
 * page; null when nothing is there.
 *
 * @param {Call} call
 * @param {boolean} complete whether every open root was searched
 * @param {Record<string, unknown>} evidence
 * @returns {Refusal | null}
 */
export function refuse_to_call_absent(call, complete, evidence) {
  const hidden = call.unsearched || hosts_left_out() > 0 ? unreachable() : {};
  if (complete && !('unreachable' in hidden)) return null;
  return refuse('payload_too_large', 'there is too much on the page to say that nothing matches', {
    ...evidence,
    ...(complete ? {} : { search_incomplete: true }),
    ...hidden,
    narrowing_hints: ['look for something that is there instead', 'use a page with fewer elements'],
  });
}
