// Finds out why an element is not rendered.

import { check_visibility, element_closest, element_matches, local_name } from '../native/element.js';
import { is_connected } from '../native/node.js';
import { flat_parent } from '../tree/flat_parent.js';
import { target_label } from './describe.js';

/**
 * Returns why an element is not rendered, and names the element that causes it.
 *
 * @param {Element} element an element that is known not to be rendered
 * @returns {Reason}
 */
export function hidden_reason(element) {
  if (!is_connected(element)) return { reason: 'detached', by: target_label(element) };
  for (let /** @type {Element | null} */ at = element; at; at = flat_parent(at)) {
    const style = getComputedStyle(at);
    if (style.display === 'none') return { reason: display_none_reason(at), by: target_label(at) };
    if (at !== element && style.contentVisibility === 'hidden') {
      return { reason: 'content_visibility_hidden', by: target_label(at) };
    }
    if (at !== element && at instanceof HTMLDetailsElement && !at.open) {
      return { reason: 'closed_details', by: target_label(at) };
    }
  }
  if (getComputedStyle(element).visibility !== 'visible') {
    return { reason: 'visibility_hidden', by: target_label(visibility_source(element)) };
  }
  if (local_name(element) === 'option' || local_name(element) === 'optgroup') {
    return { reason: 'option_of_a_closed_select', by: target_label(element_closest(element, 'select') ?? element) };
  }
  const parent = flat_parent(element);
  if (!check_visibility(element) && parent && check_visibility(parent)) {
    return { reason: 'not_slotted', by: target_label(parent) };
  }
  return { reason: 'zero_size', by: target_label(element) };
}

/** @param {Element} element */
function display_none_reason(element) {
  if (element instanceof HTMLDialogElement && !element.open) return 'closed_dialog';
  if (element_matches(element, '[popover]:not(:popover-open)')) return 'closed_popover';
  return 'display_none';
}

/**
 * Finds the outermost ancestor from which the visibility is inherited.
 *
 * @param {Element} element
 */
function visibility_source(element) {
  let source = element;
  for (let at = flat_parent(element); at; at = flat_parent(at)) {
    if (getComputedStyle(at).visibility === 'visible') break;
    source = at;
  }
  return source;
}
