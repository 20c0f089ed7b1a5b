// `form.checked`: reads the state of a checkbox, radio button or switch.

import { ok, refuse } from '../answer/answer.js';
import { target_label } from '../facts/describe.js';
import { role } from '../aria/role.js';
import { attribute } from '../native/element.js';
import { html_name } from '../native/kind.js';
import { is_connected } from '../native/node.js';
import { choose } from '../locator/choose.js';
import { checked_state, is_indeterminate } from './checked_state.js';

/** Roles of which exactly one in a group is checked, so that none can be unchecked on its own. */
const EXCLUSIVE = new Set(['radio', 'menuitemradio']);

/** The control that the previous call read. */
let last = { token: 0, element: /** @type {Element | null} */ (null) };

/**
 * Returns whether a control is checked and what kind of control it is. With the token of an earlier call it reads the
 * same control again, even if the locator now matches another one, unless the control has been removed.
 *
 * @param {{locator: Locator, token?: number}} args
 * @param {Call} call
 */
export function form_checked({ locator, token }, call) {
  const known = token === last.token && last.element && is_connected(last.element) ? last.element : null;
  const chosen = known ? { ok: { element: known, found: {} } } : choose(locator, call);
  if ('error' in chosen) return chosen;
  const { element, found } = chosen.ok;
  const its_role = role(element);
  const mixed =
    html_name(element) === 'input'
      ? is_indeterminate(/** @type {HTMLInputElement} */ (element))
      : attribute(element, 'aria-checked') === 'mixed';
  const checked = checked_state(element);
  if (checked === null && !mixed) {
    return refuse('target_not_actionable', `\`${target_label(element)}\` is not a checkbox, radio button or switch`, {
      reason: 'not_checkable',
      role: its_role,
      ...found,
    });
  }
  if (!known) last = { token: last.token + 1, element };
  return ok({ checked, mixed, exclusive: EXCLUSIVE.has(its_role), role: its_role, token: last.token, ...found });
}
