// `text.poised`: says whether an element can still receive the text that is about to be entered.

import { ok } from '../answer/answer.js';
import { active_element } from '../focus/active_element.js';
import { holds_focus } from '../focus/give_focus.js';
import { document_body } from '../native/document.js';
import { is_connected } from '../native/node.js';
import { editing_kind } from '../form/editable.js';
import { content_now, entry_of, refuse_lost, renew_entry } from './entry.js';
import { place_caret } from './place_caret.js';

/**
 * Returns whether the element has left the document, or the focus has left it and is nowhere. A page may replace a field
 * when it is focused; the keys would then go to nothing, or to shortcuts of the page. An element that passes the focus
 * on to another one, as editors do, is poised.
 *
 * Some fields fill themselves in a moment after they got the focus. What they contain now is what the text is added to, or
 * replaces.
 *
 * @param {{token: number}} args
 */
export function text_poised({ token }) {
  const entry = entry_of(token);
  if (!entry) return refuse_lost();
  const { element, host } = entry;
  if (content_now(element) !== entry.before) {
    const kind = editing_kind(element);
    if (entry.mode === 'replace' && kind !== null && kind !== 'value') place_caret(element, kind, 'replace', true);
    renew_entry(entry);
  }
  const active = active_element();
  const is_elsewhere = active !== null && active !== document_body(document);
  return ok({ poised: is_connected(element) && (holds_focus(host) || is_elsewhere) });
}
