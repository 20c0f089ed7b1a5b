import { accessible_name } from '../aria/name.js';
import { canonical_role, role } from '../aria/role.js';
import { comparable_text } from '../text/comparable_text.js';

/**
 * Weighs role and name that stand beside a selector: they decide between several matches, but alone refuse none.
 *
 * @param {Element[]} elements
 * @param {Locator} locator
 * @returns {{elements: Element[], identity: 'confirmed' | 'unconfirmed' | 'unchecked'}}
 */
export function corroborate(elements, locator) {
  if (locator.role === undefined && locator.name === undefined && locator.name_contains === undefined) {
    return { elements, identity: 'unchecked' };
  }
  const wanted = locator.role === undefined ? null : canonical_role(locator.role.trim().toLowerCase());
  const agreeing = elements.filter(
    (element) => (wanted === null || role(element) === wanted) && has_name(element, locator),
  );
  if (agreeing.length > 0) return { elements: agreeing, identity: 'confirmed' };
  return { elements, identity: 'unconfirmed' };
}

/**
 * Says whether the accessible name of an element is the one a locator gives.
 *
 * @param {Element} element
 * @param {Locator} locator
 * @returns {boolean}
 */
export function has_name(element, locator) {
  if (locator.name === undefined && locator.name_contains === undefined) return true;
  const name = comparable_text(accessible_name(element));
  if (locator.name !== undefined && name !== comparable_text(locator.name)) return false;
  return locator.name_contains === undefined || name.includes(comparable_text(locator.name_contains));
}
