// Uses a role and a name to choose among the matches of a selector.

import { canonical_role, role } from '../aria/role.js';
import { filter_by_name } from './filter_by_name.js';

/**
 * Applies the role and the name of a locator that also has a selector. They choose among several matches, but they
 * never reject all of them.
 *
 * @param {Element[]} elements
 * @param {Locator} locator
 * @param {import('./search_space.js').SearchSpace} space
 * @returns {{elements: Element[], identity: 'confirmed' | 'unconfirmed' | 'unchecked'}}
 */
export function corroborate(elements, locator, space) {
  const { name, name_contains, name_matches } = locator;
  if ([locator.role, name, name_contains, name_matches].every((key) => key === undefined)) {
    return { elements, identity: 'unchecked' };
  }
  const wanted = locator.role === undefined ? null : canonical_role(locator.role.trim().toLowerCase());
  const of_role = wanted === null ? elements : elements.filter((element) => role(element) === wanted);
  const agreeing = filter_by_name(of_role, locator, space);
  if (agreeing.length > 0) return { elements: agreeing, identity: 'confirmed' };
  return { elements, identity: 'unconfirmed' };
}
