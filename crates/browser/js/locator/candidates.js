import { refuse } from '../answer/answer.js';
import { query_pierced } from '../css/query_pierced.js';
import { split_alternatives } from '../css/split_alternatives.js';
import { query_xpath } from '../xpath/query_xpath.js';
import { role_candidates } from './role_candidates.js';

/** Elements a person means when only a text is given, before anything else is looked at. */
const OPERABLE =
  'button, a, input, textarea, select, summary, label, option, [role], [aria-label], [data-testid], [data-test], [data-actions-json-target], [tabindex], [contenteditable]';

/**
 * Finds the elements one attempt starts from, before any predicate is applied.
 *
 * @param {import('./attempts.js').Attempt} attempt
 * @param {Locator} locator
 * @param {import('./search_space.js').SearchSpace} space
 * @returns {{ok: Element[]} | Refusal}
 */
export function candidates(attempt, locator, { root, shadows }) {
  const { key, expression = '' } = attempt;
  try {
    switch (key) {
      case 'role':
        return { ok: role_candidates(root, shadows, locator.role ?? '') };
      case 'text':
        return { ok: query_pierced(root, shadows, OPERABLE) };
      case 'xpath':
        return { ok: query_xpath(root, shadows, expression) };
      default: {
        const lists = split_alternatives(expression).map((part) => query_pierced(root, shadows, part));
        return { ok: lists.length === 1 ? (lists[0] ?? []) : [...new Set(lists.flat())] };
      }
    }
  } catch (error) {
    return refuse_expression(key, expression, error);
  }
}

/**
 * Refuses a selector or XPath with what the browser says about it.
 *
 * @param {string} key the key of the locator it stands under
 * @param {string} expression
 * @param {unknown} error
 * @returns {Refusal}
 */
export function refuse_expression(key, expression, error) {
  const what = key === 'xpath' ? 'XPath' : 'selector';
  const reason = error instanceof Error ? error.message : String(error);
  return refuse('invalid_selector', `the ${what} \`${expression}\` does not parse`, { key, expression, reason });
}
