// Validates the regular expressions of a locator.

import { refuse } from '../answer/answer.js';
import { compile_pattern } from '../reading/pattern.js';

/**
 * Refuses a locator with a regular expression that is not valid.
 *
 * @param {Locator} locator
 * @returns {Refusal | null}
 */
export function refuse_patterns(locator) {
  for (const key of /** @type {const} */ (['text_matches', 'name_matches'])) {
    const source = locator[key];
    if (source === undefined) continue;
    const compiled = compile_pattern(source, false);
    if ('ok' in compiled) continue;
    return refuse('invalid_input', `\`${key}\` is not a valid regular expression: ${compiled.fault}`, { key, pattern: source });
  }
  return null;
}
