// `locator.value`: reads the value of a form control.

import { ok, refuse } from '../answer/answer.js';
import { checked_state } from '../form/checked_state.js';
import { disabled_reason } from '../facts/disabled_reason.js';
import { held_value } from '../form/held_value.js';
import { not_editable_reason } from '../form/editable.js';
import { local_name } from '../native/element.js';
import { choose } from './choose.js';

/**
 * Returns the current value of a form control. The value of a password field is never read.
 *
 * @param {{locator: Locator, max_chars?: number}} args
 * @param {Call} call
 */
export function locator_value({ locator, max_chars = 100_000 }, call) {
  const chosen = choose(locator, call);
  if ('error' in chosen) return chosen;
  const { element, found } = chosen.ok;
  const masked = element instanceof HTMLInputElement && element.type === 'password';
  const { value, too_long } = masked ? { value: null, too_long: false } : held_value(element, max_chars);
  if (too_long) {
    return refuse('payload_too_large', `the value is longer than ${max_chars} characters`, {
      max_chars,
      narrowing_hints: ['raise max_chars'],
    });
  }
  const selected =
    element instanceof HTMLSelectElement
      ? { selected: Array.from(element.selectedOptions, (option) => option.value).slice(0, 1_000) }
      : {};
  return ok({
    value,
    checked: checked_state(element),
    ...selected,
    settable: is_settable(element),
    masked,
    tag_name: local_name(element),
    ...found,
  });
}

/** @param {Element} element */
function is_settable(element) {
  if (element instanceof HTMLSelectElement) return disabled_reason(element) === null;
  return not_editable_reason(element) === null;
}
