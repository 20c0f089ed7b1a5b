// Compares the role, the name and the text that a locator asks for again with the element that it chose.

import { accessible_name } from '../aria/name.js';
import { canonical_role, role } from '../aria/role.js';
import { cut_text } from '../reading/cut_text.js';
import { text_test } from '../reading/text_test.js';
import { visible_text } from '../reading/visible_text.js';
import { filter_by_name } from './filter_by_name.js';
import { resolve } from './resolution.js';
import { retarget } from './retarget.js';
import { search_space } from './search_space.js';

/**
 * @typedef {object} Mistaken an element that no longer is what its locator asks for
 * @property {{role?: string, name?: string, text?: string}} wanted what the locator asks for
 * @property {{role: string, name: string, text: string}} seen what the element is now
 */

/**
 * Returns a check of whether an element still has the role, the name and the text that its locator asks for; null when
 * the locator asks for none of them. Role and name that did not agree in the first place are not compared.
 *
 * @param {import('./choose.js').Choice} choice
 * @param {Locator} locator
 * @param {Call} call
 * @returns {(() => Mistaken | null) | null}
 */
export function identity_check({ element, found }, locator, call) {
  const confirmed = found.identity === 'confirmed';
  const wanted = {
    ...(confirmed && locator.role !== undefined ? { role: locator.role } : {}),
    ...(confirmed ? first_of('name', [locator.name, locator.name_contains, locator.name_matches]) : {}),
    ...first_of('text', [locator.text_equals, locator.text_contains, locator.text, locator.text_matches]),
  };
  if (Object.keys(wanted).length === 0) return null;
  const bearers = locator.retarget ? bearers_of(element, locator, call) : [element];
  return () => {
    if (bearers.some(fits)) return null;
    const [bearer = element] = bearers;
    return {
      wanted,
      seen: {
        role: cut_text(role(bearer), 240),
        name: cut_text(accessible_name(bearer), 240),
        text: visible_text(bearer, { max_chars: 240, max_nodes: 2_000 }).text,
      },
    };
  };

  /** @param {Element} bearer */
  function fits(bearer) {
    if (wanted.role !== undefined && role(bearer) !== canonical_role(wanted.role.trim().toLowerCase())) return false;
    const space = search_space(bearer);
    if (wanted.name !== undefined && filter_by_name([bearer], locator, space).length === 0) return false;
    const text = text_test(locator, space);
    return !text || text.test(bearer) || text.test_name(bearer);
  }
}

/**
 * Returns the elements that carry role, name and text, from which `retarget` leads to the chosen element.
 *
 * @param {Element} element
 * @param {Locator} locator
 * @param {Call} call
 */
function bearers_of(element, locator, call) {
  const { retarget: _, nth: __, ...plain } = locator;
  const resolved = resolve(plain, call);
  if ('error' in resolved) return [];
  return resolved.ok.elements.filter((bearer) => {
    const led = retarget([bearer], locator);
    return 'ok' in led && led.ok.includes(element);
  });
}

/**
 * @template {string} Key
 * @param {Key} key
 * @param {(string | undefined)[]} values
 * @returns {Partial<Record<Key, string>>}
 */
function first_of(key, values) {
  const value = values.find((each) => each !== undefined);
  return /** @type {Partial<Record<Key, string>>} */ (value === undefined ? {} : { [key]: value });
}
