import { attribute } from '../native/element.js';
import { html_name } from '../native/kind.js';
import { role } from '../aria/role.js';

/** Roles that are checked or not. */
const CHECKABLE = new Set(['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio']);

/**
 * Tells whether an element is checked; null for one that cannot be, and for a mixed checkbox.
 *
 * @param {Element} element
 * @returns {boolean | null}
 */
export function checked_state(element) {
  if (html_name(element) === 'input') {
    const input = /** @type {HTMLInputElement} */ (element);
    if (input.type === 'checkbox' || input.type === 'radio') return input.indeterminate ? null : input.checked;
  }
  if (!CHECKABLE.has(role(element))) return null;
  const told = attribute(element, 'aria-checked');
  return told === 'mixed' ? null : told === 'true';
}
