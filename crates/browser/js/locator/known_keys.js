// Validates the keys of a locator.

import { refuse } from '../answer/answer.js';
import { STATE_NAMES } from './filter_by_states.js';

/** The keys of a locator in the page script. The driver resolves `frame`, so that key never arrives here. */
const KEYS = new Set([
  'selector',
  'selectors',
  'fallback_selectors',
  'xpath',
  'role',
  'name',
  'name_contains',
  'text',
  'text_equals',
  'text_contains',
  'text_matches',
  'name_matches',
  'ignore_case',
  'states',
  'has',
  'not',
  'within',
  'nth',
  'retarget',
  'strict',
  'node',
]);

/** The keys that are sufficient on their own to identify an element. */
const IDENTIFYING = ['selector', 'selectors', 'xpath', 'role', 'text', 'text_equals', 'text_contains', 'text_matches', 'node'];

/**
 * Refuses a locator that has an unknown key or no identifying key, so that no part of a locator is silently ignored.
 *
 * @param {Locator} locator
 * @returns {Refusal | null}
 */
export function refuse_unknown_keys(locator) {
  if (locator === null || typeof locator !== 'object') return refuse('invalid_input', 'a locator must be an object');
  const unknown = Object.keys(locator).filter((key) => !KEYS.has(key));
  if (unknown.length > 0) {
    return refuse('invalid_input', `a locator has no key \`${unknown[0]}\``, { unknown, known: [...KEYS] });
  }
  if (!IDENTIFYING.some((key) => key in locator)) {
    return refuse('invalid_input', 'a locator needs a selector, an XPath, a role or a text', { locator });
  }
  const unknown_states = Object.keys(locator.states ?? {}).filter((state) => !STATE_NAMES.includes(state));
  if (unknown_states.length > 0) {
    return refuse('invalid_input', `\`states\` has no key \`${unknown_states[0]}\``, { known: STATE_NAMES });
  }
  return null;
}
