import { text_within } from '../reading/text_within.js';
import { editing_kind } from './editable.js';

/**
 * Reads what a control holds now: its live value, or the text of an editable element; null when it holds none.
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
 * @returns {string | null | undefined} undefined when it is too long to be read
 */
function raw_value(element, limit) {
  if (
    element instanceof HTMLInputElement ||
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement ||
    element instanceof HTMLButtonElement ||
    element instanceof HTMLOutputElement
  ) {
    return element.value;
  }
  if (element instanceof HTMLMeterElement || element instanceof HTMLProgressElement) return String(element.value);
  if (editing_kind(element) !== 'content') return null;
  // What an editable element shows is its content, line breaks included.
  const length = text_within(element, false, limit * 2);
  return length === null ? undefined : /** @type {HTMLElement} */ (element).innerText.replace(/\n$/, '');
}
