// Reads whether an element is checked.

import { attribute } from '../native/element.js';
import { html_name } from '../native/kind.js';
import { capture_getter } from '../native/capture.js';
import { role } from '../aria/role.js';

const input_type = capture_getter(HTMLInputElement.prototype, 'type');
const is_checked = capture_getter(HTMLInputElement.prototype, 'checked');
const is_indeterminate = capture_getter(HTMLInputElement.prototype, 'indeterminate');

/** Roles that have a checked state; without `aria-checked` they are not checked. */
const CHECKABLE = new Set(['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio']);

/** Roles that have a checked state only if they state it. */
const SOMETIMES_CHECKABLE = new Set(['option', 'treeitem']);

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
  const stated = attribute(element, 'aria-checked');
  const its_role = role(element);
  if (!CHECKABLE.has(its_role) && !(stated !== null && SOMETIMES_CHECKABLE.has(its_role))) return null;
  return stated === 'mixed' ? null : stated === 'true';
}

/**
 * Returns whether an element is a checkbox in its third state, neither checked nor unchecked.
 *
 * @param {Element} element
 * @returns {boolean}
 */
export function is_mixed(element) {
  if (html_name(element) === 'input') return is_indeterminate(/** @type {HTMLInputElement} */ (element));
  return attribute(element, 'aria-checked') === 'mixed';
}
