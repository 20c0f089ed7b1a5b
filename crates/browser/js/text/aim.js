// `text.aim`: prepares an element for text entry.

import { ok, refuse } from '../answer/answer.js';
import { show } from '../action/scroll_to.js';
import { describe, target_label } from '../facts/describe.js';
import { hidden_reason } from '../facts/hidden_reason.js';
import { is_rendered } from '../facts/is_rendered.js';
import { active_element } from '../focus/active_element.js';
import { give_focus, holds_focus } from '../focus/give_focus.js';
import { acted_on, control_of } from '../form/control_of.js';
import { editing_host, editing_kind, not_editable_reason, takes_keys } from '../form/editable.js';
import { inert_reason } from '../form/inert_reason.js';
import { await_choice } from '../locator/await_choice.js';
import { document_body } from '../native/document.js';
import { check_visibility, local_name } from '../native/element.js';
import { begin_entry, content_now } from './entry.js';
import { place_caret } from './place_caret.js';

/**
 * @typedef {object} AimArgs
 * @property {Locator} [locator] the focused element when absent
 * @property {'append' | 'insert' | 'replace'} [mode]
 * @property {number} [deadline_ms]
 * @property {boolean} [keys] accepts an element that takes keys but is not a text field, such as an editor drawn on a
 *   canvas, or the body when nothing has the focus
 */

/**
 * Finds an element, scrolls it into view, focuses it and places the caret, so that the driver can type into it.
 *
 * `replace` selects all content. The other modes keep the caret of an element that already has the focus, and move it
 * to the end of one that does not. Without a locator, `replace` works only in single-line fields, so that a misplaced
 * focus cannot erase a document. A label or a component stands for its text field.
 *
 * @param {AimArgs} args
 * @param {Call} call
 */
export async function text_aim(args, call) {
  const { locator, mode = 'append', deadline_ms = 0, keys = false } = args;
  const chosen = locator
    ? await await_choice(locator, call, deadline_ms, (element) => is_ready(field_of(element), keys))
    : focused_choice(keys);
  if ('error' in chosen) return chosen;
  const { element: matched, found } = chosen.ok;
  const element = field_of(matched);
  const target_kind = locator ? 'locator' : 'focused';
  const reason = not_editable_reason(element);
  const takes = keys && reason === 'not_a_text_field' && (!locator || takes_keys(element));
  if (reason && !takes) return refuse_edit(element, reason, found);
  const kind = editing_kind(element);
  if (mode === 'replace' && !locator && kind !== 'line' && kind !== 'value') {
    return refuse_edit(element, 'replace_without_target', found);
  }
  if (locator) show(element);
  const host = editing_host(element);
  const held_focus = holds_focus(host);
  const content = kind === 'content' ? null : content_now(element);
  // The body of a page takes keys without having the focus; one that is edited itself, as in the frame of an editor, needs it.
  const takes_anyway = is_body(host) && kind !== 'content';
  if (!held_focus && !takes_anyway && !give_focus(host)) {
    const is_shown = check_visibility(element, { visibilityProperty: true });
    return refuse_edit(element, is_shown ? 'focus_not_taken' : hidden_reason(element).reason, found);
  }
  // A field whose content the page sets when it is focused belongs to an editor, which has also placed the caret.
  const is_managed = kind === 'lines' && content_now(element) !== content;
  const caret =
    kind === null || kind === 'value' ? 'unknown' : place_caret(element, kind, mode, held_focus || is_managed);
  return ok({
    token: begin_entry(element, mode),
    tag_name: local_name(element),
    target_kind,
    editing: kind,
    held_focus,
    caret,
    ...acted_on(matched, element),
    ...found,
  });
}

/** @param {Element} matched */
function field_of(matched) {
  return control_of(matched, (element) => editing_kind(element) !== null);
}

/**
 * Returns whether an element can be focused for text. A field without a size can be, as those of terminals are.
 *
 * @param {Element} element
 * @param {boolean} keys
 */
function is_ready(element, keys) {
  const reason = not_editable_reason(element);
  if (reason && !(keys && reason === 'not_a_text_field' && takes_keys(element))) return false;
  return is_rendered(element) || check_visibility(element, { visibilityProperty: true });
}

/** @param {Element} element */
function is_body(element) {
  return element === document_body(document);
}

/**
 * @param {boolean} keys
 * @returns {{ok: {element: Element, found: {}}} | Refusal}
 */
function focused_choice(keys) {
  const element = active_element();
  if (element && (keys || !is_body(element))) return { ok: { element, found: {} } };
  return refuse('target_not_editable', 'no element has the focus', { reason: 'no_focus' });
}

/**
 * @param {Element} element
 * @param {string} reason
 * @param {object} found
 */
function refuse_edit(element, reason, found) {
  const by = inert_reason(element)?.by;
  return refuse('target_not_editable', `\`${target_label(element)}\` does not accept text: ${reason.replaceAll('_', ' ')}`, {
    reason,
    ...(by ? { by } : {}),
    target: describe(element),
    rendered: is_rendered(element),
    ...found,
  });
}
