import { attribute, element_matches, has_attribute, is_content_editable } from '../native/element.js';
import { disabled_reason } from '../facts/disabled_reason.js';

/** Types of `input` that hold text a person types. */
const TEXT_TYPES = /^(text|search|email|tel|url|password|number|date|month|week|time|datetime-local|color|range)$/;

/**
 * Says what kind of editing an element takes.
 *
 * @param {Element} element
 * @returns {'input' | 'textarea' | 'content' | null}
 */
export function editing_kind(element) {
  if (element instanceof HTMLTextAreaElement) return 'textarea';
  if (element instanceof HTMLInputElement) return TEXT_TYPES.test(element.type) ? 'input' : null;
  return element instanceof HTMLElement && is_content_editable(element) ? 'content' : null;
}

/**
 * Says why an element takes no text now; null when it does.
 *
 * @param {Element} element
 * @returns {string | null}
 */
export function not_editable_reason(element) {
  if (editing_kind(element) === null) return 'not_a_text_field';
  const disabled = disabled_reason(element);
  if (disabled) return disabled.reason;
  if (element_matches(element, 'input, textarea') && has_attribute(element, 'readonly')) return 'read_only';
  return attribute(element, 'aria-readonly') === 'true' ? 'aria_read_only' : null;
}
