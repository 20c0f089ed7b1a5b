// `clipboard.prepare_copy` and `clipboard.copied`: watch a copy that the driver makes with the keyboard.

import { ok, refuse } from '../answer/answer.js';
import { show } from '../action/scroll_to.js';
import { is_rendered } from '../facts/is_rendered.js';
import { active_element } from '../focus/active_element.js';
import { give_focus, holds_focus } from '../focus/give_focus.js';
import { control_of } from '../form/control_of.js';
import { editing_host, editing_kind } from '../form/editable.js';
import { await_choice } from '../locator/await_choice.js';
import { listen, unlisten } from '../native/node.js';
import { selected_text } from '../text/selected_text.js';

/**
 * The copy that is watched: what was selected, and what the page did with the event.
 *
 * @type {{selected: string, seen: boolean, handled: boolean, put: string | null} | null}
 */
let watched = null;

/**
 * Finds the element whose selection is copied, gives it the focus if it is a field or an editor, and watches for the copy.
 *
 * @param {{locator?: Locator, deadline_ms?: number}} args
 * @param {Call} call
 */
export async function clipboard_prepare_copy({ locator, deadline_ms = 0 }, call) {
  let element = active_element();
  if (locator) {
    const chosen = await await_choice(locator, call, deadline_ms, is_rendered);
    if ('error' in chosen) return chosen;
    element = control_of(chosen.ok.element, (each) => editing_kind(each) !== null);
    show(element);
    const host = editing_host(element);
    if (editing_kind(element) !== null && !holds_focus(host)) give_focus(host);
  }
  watched = { selected: selected_text(element), seen: false, handled: false, put: null };
  listen(window, 'copy', on_copy, { capture: true });
  return ok({ selected_length: Array.from(watched.selected).length });
}

/** Returns what was copied. */
export function clipboard_copied() {
  const copy = watched;
  watched = null;
  unlisten(window, 'copy', on_copy, { capture: true });
  if (!copy) return refuse('input_not_received', 'the page loaded another document before the copy');
  const text = copy.handled ? (copy.put ?? copy.selected) : copy.selected;
  if (!copy.seen && text !== '') {
    return refuse('input_not_received', 'the page kept the key of the copy from the browser, so that nothing was copied');
  }
  return ok({ copied: copy.handled || text !== '', copied_length: Array.from(text).length });
}

/**
 * Adds a listener that comes after those of the page, when it is known what the page put on the clipboard.
 *
 * @param {Event} event
 */
function on_copy(event) {
  if (!watched || !event.isTrusted) return;
  watched.seen = true;
  const copy = watched;
  listen(window, 'copy', note, { once: true });

  /** @param {Event} event */
  function note(event) {
    copy.handled = event.defaultPrevented;
    copy.put = event instanceof ClipboardEvent ? (event.clipboardData?.getData('text/plain') ?? null) : null;
  }
}
