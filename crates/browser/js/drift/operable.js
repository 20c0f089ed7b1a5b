// Finds the elements of a tree that a person can operate.

import { query_pierced } from '../css/query_pierced.js';
import { search_space } from '../locator/search_space.js';

/** Elements that a person can operate. */
export const OPERATED =
  'button, a[href], input:not([type=hidden]), textarea, select, summary, [role=button], [role=link], [role=tab], [role=menuitem], [role=checkbox], [role=radio], [role=switch], [role=option], [role=combobox], [role=searchbox], [role=textbox], [contenteditable=true], [contenteditable=""]';

/**
 * Returns the first operable elements inside a root, shadow roots included.
 *
 * @param {Root} root
 * @param {number} limit
 * @returns {Element[]}
 */
export function operable_within(root, limit) {
  const space = search_space(root);
  return query_pierced(space.root, space.shadows, OPERATED).slice(0, limit);
}
