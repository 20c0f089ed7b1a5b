// `form.checked`: reads the state of a checkbox, radio button or switch.

import { ok, refuse } from '../answer/answer.js';
import { target_label } from '../facts/describe.js';
import { role } from '../aria/role.js';
import { is_connected } from '../native/node.js';
import { choose } from '../locator/choose.js';
import { watch_departure } from '../wait/departure.js';
import { held } from '../wait/held.js';
import { checked_state, is_mixed } from './checked_state.js';
import { acted_on, control_of } from './control_of.js';

/** Roles of which exactly one in a group is checked, so that none can be unchecked on its own. */
const EXCLUSIVE = new Set(['radio', 'menuitemradio']);

/** Roles of items that are chosen from a popup, which may close at once. */
const CHOSEN = new Set(['menuitemcheckbox', 'menuitemradio', 'option']);

/** The control that the previous call read. */
let last = { token: 0, element: /** @type {Element | null} */ (null), role: '' };

/**
 * Returns whether a control is checked and what kind of control it is. A label or a component stands for its control.
 *
 * With the token of an earlier call it reads the same control again, even if the locator now matches another one, unless
 * the control has been removed. With `wanted` it first waits until the control has that state and keeps it; `left` says that
 * it was an item of a popup that has closed, so that its state cannot be read.
 *
 * @param {{locator: Locator, token?: number, wanted?: boolean, deadline_ms?: number}} args
 * @param {Call} call
 */
export function form_checked({ locator, token, wanted, deadline_ms = 0 }, call) {
  if (wanted === undefined) return read(locator, token, call);
  const state = () => {
    const control = known(token) ?? find(locator, call);
    return control && 'ok' in control ? checked_state(control.ok.element) : null;
  };
  const has_left = () => has_closed(token) && 'error' in find(locator, call);
  const departure = watch_departure();
  return held(() => state() === wanted || has_left(), deadline_ms, departure).then((holds) => {
    departure.stop();
    if (has_left()) return ok({ checked: null, token, left: true });
    const answer = read(locator, token, call);
    return 'error' in answer ? answer : ok({ ...answer.ok, holds });
  });
}

/**
 * @param {Locator} locator
 * @param {number | undefined} token
 * @param {Call} call
 */
function read(locator, token, call) {
  const chosen = known(token) ?? find(locator, call);
  if ('error' in chosen) return chosen;
  const { element, found } = chosen.ok;
  const its_role = role(element);
  const mixed = is_mixed(element);
  const checked = checked_state(element);
  if (checked === null && !mixed) {
    return refuse('target_not_actionable', `\`${target_label(element)}\` is not a checkbox, radio button or switch`, {
      reason: 'not_checkable',
      role: its_role,
      ...found,
    });
  }
  if (last.element !== element) last = { token: last.token + 1, element, role: its_role };
  return ok({ checked, mixed, exclusive: EXCLUSIVE.has(its_role), role: its_role, token: last.token, ...found });
}

/**
 * Returns whether the control was an item of a popup and has left the page.
 *
 * @param {number | undefined} token
 */
function has_closed(token) {
  return token === last.token && last.element !== null && CHOSEN.has(last.role) && !is_connected(last.element);
}

/**
 * @param {number | undefined} token
 * @returns {{ok: {element: Element, found: {}}} | null}
 */
function known(token) {
  const { element } = last;
  return token === last.token && element && is_connected(element) ? { ok: { element, found: {} } } : null;
}

/**
 * @param {Locator} locator
 * @param {Call} call
 */
function find(locator, call) {
  const chosen = choose(locator, call);
  if ('error' in chosen) return chosen;
  const { element: matched, found } = chosen.ok;
  const element = control_of(matched, (each) => checked_state(each) !== null || is_mixed(each));
  return ok({ element, found: { ...acted_on(matched, element), ...found } });
}
