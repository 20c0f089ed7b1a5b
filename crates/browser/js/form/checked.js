import { ok, refuse } from '../answer/answer.js';
import { target_label } from '../facts/describe.js';
import { role } from '../aria/role.js';
import { attribute } from '../native/element.js';
import { choose } from '../locator/choose.js';
import { checked_state } from './checked_state.js';

/** Roles of which one of a group is always checked, so that none can be unchecked by itself. */
const EXCLUSIVE = new Set(['radio', 'menuitemradio']);

/**
 * Tells whether a control is checked, and what kind of control it is.
 *
 * @param {{locator: Locator}} args
 * @param {Call} call
 */
export function form_checked({ locator }, call) {
  const chosen = choose(locator, call);
  if ('error' in chosen) return chosen;
  const { element, found } = chosen.ok;
  const its_role = role(element);
  const mixed =
    element instanceof HTMLInputElement ? element.indeterminate : attribute(element, 'aria-checked') === 'mixed';
  const checked = checked_state(element);
  if (checked === null && !mixed) {
    return refuse('target_not_actionable', `\`${target_label(element)}\` cannot be checked`, {
      reason: 'not_checkable',
      role: its_role,
      ...found,
    });
  }
  return ok({ checked, mixed, exclusive: EXCLUSIVE.has(its_role), role: its_role, ...found });
}
