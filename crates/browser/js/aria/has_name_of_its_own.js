// Checks for a name given by an attribute.

import { attribute } from '../native/element.js';

/**
 * Returns whether an attribute names an element. A name is what turns a `section` into a region.
 *
 * @param {Element} element
 * @returns {boolean}
 */
export function has_name_of_its_own(element) {
  return ['aria-labelledby', 'aria-label', 'title'].some((name) => (attribute(element, name) ?? '').trim() !== '');
}
