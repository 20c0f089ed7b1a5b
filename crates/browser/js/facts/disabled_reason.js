// Finds out why an element is disabled.

import { attribute, element_closest, element_matches, has_attribute, local_name } from '../native/element.js';
import { flat_parent } from '../tree/flat_parent.js';
import { target_label } from './describe.js';

/**
 * Returns why the page's markup disables an element; null when it is enabled.
 *
 * Disabled ancestors count too: a click on the icon of a disabled button does nothing.
 *
 * @param {Element} element
 * @returns {Reason | null}
 */
export function disabled_reason(element) {
  for (let /** @type {Element | null} */ at = element; at; at = flat_parent(at)) {
    if (has_attribute(at, 'inert')) return { reason: 'inert', by: target_label(at) };
    if (attribute(at, 'aria-disabled') === 'true') return { reason: 'aria_disabled', by: target_label(at) };
    if (local_name(at) === 'fieldset' || !element_matches(at, ':disabled')) continue;
    if (has_attribute(at, 'disabled')) return { reason: 'disabled', by: target_label(at) };
    const fieldset = element_closest(at, 'fieldset:disabled, optgroup:disabled, select:disabled');
    return { reason: 'fieldset_disabled', by: target_label(fieldset ?? at) };
  }
  return null;
}
