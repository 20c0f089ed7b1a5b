import { attribute } from '../native/element.js';
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
  if (element instanceof HTMLInputElement && (element.type === 'checkbox' || element.type === 'radio')) {
    return element.indeterminate ? null : element.checked;
  }
  if (!CHECKABLE.has(role(element))) return null;
  const told = attribute(element, 'aria-checked');
  return told === 'mixed' ? null : told === 'true';
}
