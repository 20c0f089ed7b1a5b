import { refuse } from '../answer/answer.js';

/** The keys a locator may have here; `frame` is walked by the driver and never arrives. */
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
  'within',
  'nth',
  'retarget',
  'strict',
  'node',
]);

/** The keys that can say by themselves which element is meant. */
const IDENTIFYING = ['selector', 'selectors', 'xpath', 'role', 'text', 'text_equals', 'text_contains', 'node'];

/**
 * Refuses a locator with a key it cannot honour or without one that identifies, so that nothing is left out silently.
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
  return null;
}
