// Reads whether an element is checked.

import { attribute } from '../native/element.js';
import { html_name } from '../native/kind.js';
import { capture_getter } from '../native/capture.js';
import { role } from '../aria/role.js';

const input_type = capture_getter(HTMLInputElement.prototype, 'type');
const is_checked = capture_getter(HTMLInputElement.prototype, 'checked');
export const is_indeterminate = capture_getter(HTMLInputElement.prototype, 'indeterminate');

/** Roles that have a checked state. */
const CHECKABLE = new Set(['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio']);

/**
 * Returns whether an element is checked; null for elements without a checked state and for indeterminate checkboxes.
 *
 * @param {Element} element
 * @returns {boolean | null}
 */
export function checked_state(element) {
  if (html_name(element) === 'input') {
    const input = /** @type {HTMLInputElement} */ (element);
    if (/^(checkbox|radio)$/.test(input_type(input))) return is_indeterminate(input) ? null : is_checked(input);
  }
  if (!CHECKABLE.has(role(element))) return null;
  const stated = attribute(element, 'aria-checked');
  return stated === 'mixed' ? null : stated === 'true';
}
