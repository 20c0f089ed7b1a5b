// `text.poised`: says whether an element can still receive the text that is about to be entered.

import { ok } from '../answer/answer.js';
import { active_element } from '../focus/active_element.js';
import { document_body } from '../native/document.js';
import { is_connected } from '../native/node.js';
import { entry_of, refuse_lost } from './entry.js';

/**
 * Returns whether the element has left the document, or the focus has left it and is nowhere. A page may replace a field
 * when it is focused; the keys would then go to nothing, or to shortcuts of the page. An element that passes the focus
 * on to another one, as editors do, is poised.
 *
 * @param {{token: number}} args
 */
export function text_poised({ token }) {
  const entry = entry_of(token);
  if (!entry) return refuse_lost();
  const { element, host } = entry;
  const active = active_element();
  const body = document_body(document);
  const connected = is_connected(element);
  return ok({ poised: connected && (host === body || (active !== null && active !== body)), connected });
}
