// Decides whether and how an element can be edited.

import { attribute, element_matches, has_attribute, is_content_editable, tab_index } from '../native/element.js';
import { disabled_reason } from '../facts/disabled_reason.js';
import { flat_parent } from '../tree/flat_parent.js';
import { inert_reason } from './inert_reason.js';

/** Types of `input` that accept typed text, and types that only accept a complete value. */
const TYPED = /^(text|search|email|tel|url|password|number)$/;
const WHOLE = /^(date|month|week|time|datetime-local|color|range)$/;

/**
 * Returns the kind of editing an element accepts: typed text in one line or several, a complete value, or free content;
 * null when it accepts none.
 *
 * @param {Element} element
 * @returns {'line' | 'lines' | 'value' | 'content' | null}
 */
export function editing_kind(element) {
  if (element instanceof HTMLTextAreaElement) return 'lines';
  if (element instanceof HTMLInputElement) {
    if (TYPED.test(element.type)) return 'line';
    return WHOLE.test(element.type) ? 'value' : null;
  }
  return element instanceof HTMLElement && is_content_editable(element) ? 'content' : null;
}

/**
 * Returns why an element does not accept text at the moment; null when it does.
 *
 * @param {Element} element
 * @returns {string | null}
 */
export function not_editable_reason(element) {
  if (editing_kind(element) === null) return 'not_a_text_field';
  const disabled = disabled_reason(element);
  if (disabled) return disabled.reason;
  if (inert_reason(element)) return 'inert';
  if (element_matches(element, 'input, textarea') && has_attribute(element, 'readonly')) return 'read_only';
  return attribute(element, 'aria-readonly') === 'true' ? 'aria_read_only' : null;
}

/** Elements to which keys mean something else than text. */
const OPERATED = 'a, area, audio, button, details, embed, frame, iframe, input, label, object, option, select, summary, video';

/**
 * Returns whether an element takes keys although it is not a text field, such as an editor drawn on a canvas: it can
 * have the focus, and keys do not operate it.
 *
 * @param {Element} element
 * @returns {boolean}
 */
export function takes_keys(element) {
  const focusable = element instanceof HTMLElement && tab_index(element) >= 0;
  return (focusable || has_attribute(element, 'tabindex')) && !element_matches(element, OPERATED);
}

/**
 * Returns the element that has the focus while content inside it is edited: the outermost editable ancestor.
 *
 * @param {Element} element
 * @returns {Element}
 */
export function editing_host(element) {
  let host = element;
  if (editing_kind(element) !== 'content') return host;
  for (let at = flat_parent(element); at; at = flat_parent(at)) {
    if (!(at instanceof HTMLElement) || !is_content_editable(at)) break;
    host = at;
  }
  return host;
}
