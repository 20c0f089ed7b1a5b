// `text.select`: selects the content of an element.

import { ok, refuse } from '../answer/answer.js';
import { show } from '../action/scroll_to.js';
import { is_rendered } from '../facts/is_rendered.js';
import { active_element } from '../focus/active_element.js';
import { give_focus } from '../focus/give_focus.js';
import { editing_host, editing_kind } from '../form/editable.js';
import { await_choice } from '../locator/await_choice.js';
import { place_caret } from './place_caret.js';
import { selected_text } from './selected_text.js';

/**
 * Selects the content of the element that the locator names, or of the focused element without a locator.
 *
 * @param {{locator?: Locator, deadline_ms?: number}} args
 * @param {Call} call
 */
export async function text_select({ locator, deadline_ms = 0 }, call) {
  const target = locator ? await await_choice(locator, call, deadline_ms, is_rendered) : focused_choice();
  if ('error' in target) return target;
  const { element } = target.ok;
  if (locator) show(element);
  const kind = editing_kind(element);
  if (kind !== null) give_focus(editing_host(element));
  place_caret(element, kind === 'line' || kind === 'lines' ? kind : 'content', 'replace', false);
  const selected_length = selected_text(element).length;
  if (selected_length === 0) return refuse('no_select_target', 'the element contains no text to select');
  return ok({ selected: true, selected_length, target_kind: locator ? 'locator' : 'focused' });
}

/** @returns {{ok: {element: Element}} | Refusal} */
function focused_choice() {
  const element = active_element();
  return element ? { ok: { element } } : refuse('no_select_target', 'no element has the focus');
}
