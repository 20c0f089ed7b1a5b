import { attribute } from '../native/element.js';

/**
 * Says whether the author names an element by an attribute, which is what turns a `section` into a region.
 *
 * @param {Element} element
 * @returns {boolean}
 */
export function has_name_of_its_own(element) {
  return ['aria-labelledby', 'aria-label', 'title'].some((name) => (attribute(element, name) ?? '').trim() !== '');
}
