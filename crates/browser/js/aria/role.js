// Computes the ARIA role of an element.

import { attribute, element_matches, has_attribute, tab_index } from '../native/element.js';
import { has_name_of_its_own } from './has_name_of_its_own.js';
import { native_role } from './native_role.js';
import { ROLE_NAMES } from './role_names.js';

/** Global ARIA attributes. An element with one of them is not decorative, even if its role says so. */
const GLOBAL_ATTRIBUTES = `[aria-atomic], [aria-busy], [aria-controls], [aria-current], [aria-describedby], [aria-description],
   [aria-details], [aria-dropeffect], [aria-flowto], [aria-grabbed], [aria-keyshortcuts], [aria-label],
   [aria-labelledby], [aria-live], [aria-owns], [aria-relevant], [aria-roledescription]`;

/** Roles that are landmarks only when the element has a name. */
const NAMED_LANDMARKS = new Set(['region', 'form']);

/** Alternative names of roles. */
const SYNONYMS = new Map([
  ['image', 'img'],
  ['presentation', 'none'],
  ['directory', 'list'],
]);

/**
 * Returns the first valid role in the `role` attribute, or the native role; empty when the element has neither.
 *
 * @param {Element} element
 * @returns {string}
 */
export function role(element) {
  const written = written_role(element);
  if (written === null) return canonical_role(native_role(element));
  if (written === 'none' && keeps_its_role(element)) return canonical_role(native_role(element));
  return NAMED_LANDMARKS.has(written) && !has_name_of_its_own(element) ? 'generic' : written;
}

/**
 * Returns the canonical name of a role.
 *
 * @param {string} name
 * @returns {string}
 */
export function canonical_role(name) {
  return SYNONYMS.get(name) ?? name;
}

/**
 * @param {Element} element
 * @returns {string | null}
 */
function written_role(element) {
  const text = attribute(element, 'role');
  if (!text) return null;
  for (const token of text.toLowerCase().split(/\s+/)) {
    if (ROLE_NAMES.has(token)) return canonical_role(token);
  }
  return null;
}

/**
 * Returns whether an element cannot be decorative because it is focusable or has global attributes.
 *
 * @param {Element} element
 */
function keeps_its_role(element) {
  if (element_matches(element, GLOBAL_ATTRIBUTES)) return true;
  if (has_attribute(element, 'tabindex')) return true;
  return element instanceof HTMLElement && tab_index(element) >= 0 && !element_matches(element, ':disabled');
}
