// `text.aim`: prepares an element for text entry.

import { ok, refuse } from '../answer/answer.js';
import { show } from '../action/scroll_to.js';
import { describe, target_label } from '../facts/describe.js';
import { is_rendered } from '../facts/is_rendered.js';
import { active_element } from '../focus/active_element.js';
import { give_focus, holds_focus } from '../focus/give_focus.js';
import { editing_host, editing_kind, not_editable_reason } from '../form/editable.js';
import { inert_reason } from '../form/inert_reason.js';
import { await_choice } from '../locator/await_choice.js';
import { document_body } from '../native/document.js';
import { local_name } from '../native/element.js';
import { begin_entry } from './entry.js';
import { place_caret } from './place_caret.js';

/**
 * @typedef {object} AimArgs
 * @property {Locator} [locator] the focused element when absent
 * @property {'append' | 'insert' | 'replace'} [mode]
 * @property {number} [deadline_ms]
 * @property {boolean} [any_focus] accepts a focused element that is not a text field, such as an editor drawn on a
 *   canvas
 */

/**
 * Finds an element, scrolls it into view, focuses it and places the caret, so that the driver can type into it.
 *
 * `replace` selects all content. The other modes keep the caret of an element that already has the focus, and move it
 * to the end of one that does not. Without a locator, `replace` works only in single-line fields, so that a misplaced
 * focus cannot erase a document.
 *
 * @param {AimArgs} args
 * @param {Call} call
 */
export async function text_aim(args, call) {
  const { locator, mode = 'append', deadline_ms = 0, any_focus = false } = args;
  const chosen = locator
    ? await await_choice(
        locator,
        call,
        deadline_ms,
        (element) => not_editable_reason(element) === null && is_rendered(element),
      )
    : focused_choice();
  if ('error' in chosen) return chosen;
  const { element, found } = chosen.ok;
  const target_kind = locator ? 'locator' : 'focused';
  const reason = not_editable_reason(element);
  if (reason && !(any_focus && !locator && reason === 'not_a_text_field')) return refuse_edit(element, reason, found);
  const kind = editing_kind(element);
  if (mode === 'replace' && !locator && kind !== 'line' && kind !== 'value') {
    return refuse_edit(element, 'replace_without_target', found);
  }
  if (locator) show(element);
  const host = editing_host(element);
  const held_focus = holds_focus(host);
  if (!held_focus && !give_focus(host)) return refuse_edit(element, 'focus_not_taken', found);
  const caret = kind === null || kind === 'value' ? 'unknown' : place_caret(element, kind, mode, held_focus);
  return ok({
    token: begin_entry(element, mode),
    tag_name: local_name(element),
    target_kind,
    editing: kind,
    held_focus,
    caret,
    ...found,
  });
}

/** @returns {{ok: {element: Element, found: {}}} | Refusal} */
function focused_choice() {
  const element = active_element();
  if (element && element !== document_body(document)) return { ok: { element, found: {} } };
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
