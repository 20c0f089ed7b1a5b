// Reads the current value of a control.

import { lines_shown } from '../reading/lines_shown.js';
import { text_within } from '../reading/text_within.js';
import { is_content_editable } from '../native/element.js';
import { html_name } from '../native/kind.js';

/** Elements that have a value. */
const CONTROLS = /^(input|textarea|select|button|output|meter|progress)$/;

/**
 * Returns the current value of a control, or the text of an editable element; null when it has neither.
 *
 * @param {Element} element
 * @param {number} limit
 * @returns {{value: string | null, too_long: boolean}}
 */
export function held_value(element, limit) {
  const value = raw_value(element, limit);
  return value !== undefined && value !== null && value.length > limit
    ? { value: null, too_long: true }
    : { value: value ?? null, too_long: value === undefined };
}

/**
 * @param {Element} element
 * @param {number} limit
 * @returns {string | null | undefined} undefined when it is too long to read
 */
function raw_value(element, limit) {
  const name = html_name(element);
  if (name === null) return null;
  if (CONTROLS.test(name)) return String(/** @type {HTMLInputElement} */ (element).value);
  if (!is_content_editable(/** @type {HTMLElement} */ (element))) return null;
  // The value of an editable element is the text it shows, line by line.
  const length = text_within(element, false, limit * 2);
  return length === null ? undefined : lines_shown(element);
}
