// `dom.focus`: moves the focus to an element.

import { ok, refuse } from '../answer/answer.js';
import { describe, target_label } from '../facts/describe.js';
import { disabled_reason } from '../facts/disabled_reason.js';
import { active_element } from '../focus/active_element.js';
import { give_focus } from '../focus/give_focus.js';
import { await_choice } from '../locator/await_choice.js';
import { is_rendered } from '../facts/is_rendered.js';
import { document_selection } from '../native/document.js';
import { local_name } from '../native/element.js';
import { show } from '../action/scroll_to.js';

/**
 * Waits for an element, scrolls it into view and focuses it.
 *
 * @param {{locator: Locator, deadline_ms?: number}} args
 * @param {Call} call
 */
export async function dom_focus({ locator, deadline_ms = 0 }, call) {
  const chosen = await await_choice(locator, call, deadline_ms, is_rendered);
  if ('error' in chosen) return chosen;
  const { element, found } = chosen.ok;
  show(element);
  const before = selection_length();
  const arrived = give_focus(element);
  const active = active_element();
  if (!arrived) {
    return refuse('target_not_focusable', `\`${target_label(element)}\` did not take the focus`, {
      target: describe(element),
      disabled_by: disabled_reason(element),
      active: active ? describe(active) : null,
      ...found,
    });
  }
  const after = selection_length();
  return ok({
    focused: true,
    tag_name: local_name(element),
    active_is_target: active === element,
    selection_preserved: before === after,
    selection_before_length: before,
    selection_after_length: after,
    ...found,
  });
}

function selection_length() {
  return document_selection(document)?.toString().length ?? 0;
}
