// `locator.tally`: counts the elements that each of several locators matches, all at one moment of the document.

import { ok } from '../answer/answer.js';
import { is_rendered } from '../facts/is_rendered.js';
import { resolve } from './resolution.js';
import { refuse_to_call_absent, refuse_to_call_empty } from './unreachable.js';

/** How many matches of one locator are examined for being rendered. */
const MAX_EXAMINED = 1_000;

/**
 * Counts the matches of each locator, in order. A locator that cannot be counted has a refusal of its own; the others
 * are counted all the same.
 *
 * Most of the locators match nothing on most pages, so each element is examined for a closed shadow root only once.
 *
 * @param {{locators: Locator[]}} args
 * @param {Call} call
 */
export function locator_tally({ locators }, call) {
  const counts = locators.map((locator) => count(locator, call));
  const some_absent = counts.some((counted) => 'ok' in counted && counted.ok.attached === 0);
  const doubt = some_absent ? refuse_to_call_empty(call, { locators }) : null;
  return doubt ?? ok({ counts });
}

/**
 * @param {Locator} locator
 * @param {Call} call
 * @returns {Answer<{attached: number, rendered: number}>}
 */
function count(locator, call) {
  const resolved = resolve(locator, call);
  if ('error' in resolved) return resolved;
  const { elements, complete } = resolved.ok;
  const certain = { ...call, unsearched: false };
  const doubt = elements.length === 0 ? refuse_to_call_absent(certain, complete, { locator }) : null;
  if (doubt) return doubt;
  return ok({ attached: elements.length, rendered: elements.slice(0, MAX_EXAMINED).filter(is_rendered).length });
}
