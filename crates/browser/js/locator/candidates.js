// Collects the elements that one way of resolving a locator starts from.

import { query_pierced } from '../css/query_pierced.js';
import { refuse_expression, refuse_selector } from '../css/refuse_selector.js';
import { split_alternatives } from '../css/split_alternatives.js';
import { query_xpath } from '../xpath/query_xpath.js';
import { role_candidates } from './role_candidates.js';

/** Elements that a locator with only a text most likely means; they are searched before all others. */
export const OPERABLE =
  'button, a, input, textarea, select, summary, label, option, [role], [aria-label], [data-testid], [data-test], [data-actions-json-target], [tabindex], [contenteditable]';

/**
 * Returns the elements that match one attempt, before the locator's predicates are applied.
 *
 * @param {import('./attempts.js').Attempt} attempt
 * @param {Locator} locator
 * @param {import('./search_space.js').SearchSpace} space
 * @returns {{ok: Element[]} | Refusal}
 */
export function candidates(attempt, locator, { root, shadows }) {
  const { key, expression = '' } = attempt;
  switch (key) {
    case 'role':
      return { ok: role_candidates(root, shadows, locator.role ?? '') };
    case 'text':
      return { ok: query_pierced(root, shadows, OPERABLE) };
    case 'xpath':
      return by_xpath(root, shadows, expression);
    default:
      return refuse_selector(key, expression) ?? by_selector(root, shadows, expression);
  }
}

/**
 * @param {Root} root
 * @param {ShadowRoot[]} shadows
 * @param {string} selector
 */
function by_selector(root, shadows, selector) {
  const lists = split_alternatives(selector).map((part) => query_pierced(root, shadows, part));
  return { ok: lists.length === 1 ? (lists[0] ?? []) : [...new Set(lists.flat())] };
}

/**
 * @param {Root} root
 * @param {ShadowRoot[]} shadows
 * @param {string} expression
 */
function by_xpath(root, shadows, expression) {
  try {
    return { ok: query_xpath(root, shadows, expression) };
  } catch (error) {
    return refuse_expression('xpath', 'XPath', expression, error);
  }
}
