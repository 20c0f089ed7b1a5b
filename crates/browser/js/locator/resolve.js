// `locator.resolve`: lists all elements that a locator matches.

import { ok } from '../answer/answer.js';
import { is_rendered } from '../facts/is_rendered.js';
import { summary } from '../facts/summary.js';
import { resolve } from './resolution.js';
import { refuse_to_call_absent } from './unreachable.js';

/**
 * Lists the elements that a locator matches, in order. No match is a success with an empty list.
 *
 * @param {{locator: Locator, max_elements?: number}} args
 * @param {Call} call
 */
export function locator_resolve({ locator, max_elements = 50 }, call) {
  const resolved = resolve(locator, call);
  if ('error' in resolved) return resolved;
  const { elements, matched_by, matched_selector, identity, trail, complete } = resolved.ok;
  const doubt = elements.length === 0 ? refuse_to_call_absent(call, complete, { locator }) : null;
  if (doubt) return doubt;
  return ok({
    candidate_count: elements.length,
    matched_by,
    matched_selector,
    identity,
    trail,
    complete,
    elements: elements
      .slice(0, max_elements)
      .map((element) => ({ ...summary(element), rendered: is_rendered(element) })),
  });
}
