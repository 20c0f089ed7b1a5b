// Reports elements that may host closed shadow roots which have not been searched, so that "not found" and "empty" are
// only answered when they are certain.

import { refuse } from '../answer/answer.js';
import { target_label } from '../facts/describe.js';
import { has_unasked_hosts, hosts_left_out, likely_hosts } from '../tree/closed_hosts.js';

/** The largest number of hosts that the evidence names. */
const MAX_NAMED = 10;

/**
 * Returns evidence about where a missing element may be: in closed shadow roots that the driver has not opened, or that
 * are too many to open.
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
 * Refuses to report an empty list while elements that the driver has not examined look like hosts of a closed shadow
 * root; returns null otherwise. An empty list is common and read often, so each element is examined only once.
 *
 * @param {Call} call
 * @param {Record<string, unknown>} evidence
 * @returns {Refusal | null}
 */
export function refuse_to_call_empty(call, evidence) {
  if (!call.unsearched || !has_unasked_hosts({ likely: true, once: true })) return null;
  return refuse('payload_too_large', 'no record was found, but closed shadow roots that were not searched may contain some', {
    ...evidence,
    unreachable: { possible_hosts: likely_hosts(MAX_NAMED).map(target_label) },
  });
}

/**
 * Refuses to report that nothing matches while a closed shadow root may contain a match or the search was incomplete;
 * returns null when it is certain.
 *
 * @param {Call} call
 * @param {boolean} complete whether every open root was searched
 * @param {Record<string, unknown>} evidence
 * @returns {Refusal | null}
 */
export function refuse_to_call_absent(call, complete, evidence) {
  const hidden = call.unsearched || hosts_left_out() > 0 ? unreachable() : {};
  if (complete && !('unreachable' in hidden)) return null;
  return refuse('payload_too_large', 'the page is too large to be certain that nothing matches', {
    ...evidence,
    ...(complete ? {} : { search_incomplete: true }),
    ...hidden,
    narrowing_hints: ['look for an element that appears instead', 'use a page with fewer elements'],
  });
}
