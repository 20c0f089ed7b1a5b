// Finds out whether an element is inert.

import { query_all } from '../css/query_all.js';
import { target_label } from '../facts/describe.js';
import { has_attribute } from '../native/element.js';
import { composed_contains } from '../tree/composed_contains.js';
import { flat_parent } from '../tree/flat_parent.js';

/**
 * Returns what makes an element inert: an ancestor with the `inert` attribute, or a modal dialog that the element is
 * outside of; null when nothing does.
 *
 * @param {Element} element
 * @returns {Reason | null}
 */
export function inert_reason(element) {
  for (let /** @type {Element | null} */ at = element; at; at = flat_parent(at)) {
    if (has_attribute(at, 'inert')) return { reason: 'inert', by: target_label(at) };
  }
  const modals = Array.from(query_all(document, 'dialog:modal'));
  const [modal] = modals;
  if (!modal || modals.some((each) => composed_contains(each, element))) return null;
  return { reason: 'inert', by: target_label(modal) };
}
