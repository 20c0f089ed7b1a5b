// `action.prepare`: gets an element ready for a pointer gesture or another action.

import { ok, refuse } from '../answer/answer.js';
import { summary } from '../facts/summary.js';
import { choose } from '../locator/choose.js';
import { identity_check } from '../locator/identity_check.js';
import { refuse_if_hidden } from '../locator/refuse_if_hidden.js';
import { expect_wheel } from '../viewport/wheel.js';
import { next_change } from '../wait/next_change.js';
import { now } from '../wait/now.js';
import { abandon_gesture, begin_gesture, is_superseded, take_turn } from './gesture.js';
import { obstacle, refuse_obstacle } from './obstacle.js';
import { reach } from './reach.js';
import { reach_label } from './reach_label.js';
import { replacement_check } from './replacement_check.js';
import { stand_in } from './stand_in.js';

/** The shortest and the longest wait for an element to stop moving, in milliseconds. */
const STABLE = 400;
const LONGEST_STABLE = 1_500;

/**
 * @typedef {object} PrepareArgs
 * @property {Locator} locator
 * @property {number} [deadline_ms] how long to wait for an element that can be acted on; 0 checks once
 * @property {number} [spent_ms] the time that earlier calls for the same action have used
 * @property {boolean} [scroll] true when absent
 * @property {boolean} [require_enabled] true when absent
 * @property {boolean} [require_hit] true when absent
 * @property {Point | null} [offset] the point of the element to hit, from its top left corner; any point when absent
 * @property {boolean} [through_label] aims at the label of a control that cannot be reached itself
 */

/**
 * Finds an element, scrolls it into view, waits until it is rendered, enabled, still and hit by a pointer, and starts
 * watching the gesture that follows.
 *
 * @param {PrepareArgs & import('./gesture.js').GestureArgs} args
 * @param {Call} call
 */
export async function action_prepare(args, call) {
  const { locator, deadline_ms = 0, spent_ms = 0 } = args;
  const deadline = now() + deadline_ms;
  const start = now() - spent_ms;
  const turn = take_turn(args);
  let scroll = args.scroll ?? true;
  for (;;) {
    const chosen = is_superseded(args, turn) ? refuse_superseded() : choose(locator, call, { explain: false });
    const outcome = 'error' in chosen ? chosen : await approach(chosen.ok, args, call, { scroll, deadline, turn });
    if (!('error' in outcome)) return ok({ ...outcome.ok, waited_ms: Math.round(now() - start) });
    const hidden = outcome.error.code === 'target_not_found' ? refuse_if_hidden(locator, call) : null;
    if (hidden) {
      abandon_gesture(args);
      return hidden;
    }
    const { error } = outcome;
    if (!WORTH_WAITING.has(error.code) || now() >= deadline) {
      abandon_gesture(args);
      const { code, message, evidence } = error.code === 'target_not_found' ? explained(args, call, error) : error;
      return refuse(code, message, { ...evidence, waited_ms: Math.round(now() - start) });
    }
    // Scrolling again would only disturb what covers the element. A new match is scrolled to anyway.
    scroll = scroll && (error.code !== 'target_not_actionable' || error.evidence.reason !== 'covered');
    await next_change(deadline - now());
  }
}

/**
 * Adds where a match may be hidden to a refusal. This is expensive, so it is done once, at the end.
 *
 * @param {PrepareArgs} args
 * @param {Call} call
 * @param {Refusal['error']} error
 */
function explained({ locator }, call, error) {
  const chosen = choose(locator, call);
  return 'error' in chosen ? chosen.error : error;
}

/** Refuses a gesture that a newer one has replaced. */
function refuse_superseded() {
  return refuse('cancelled', 'a newer action replaced this one before its element was ready');
}

/** Refusals whose cause may go away while the page changes. */
const WORTH_WAITING = new Set(['target_not_found', 'target_not_actionable', 'target_detached']);

/**
 * @param {import('../locator/choose.js').Choice} choice
 * @param {PrepareArgs & import('./gesture.js').GestureArgs} args
 * @param {Call} call
 * @param {{scroll: boolean, deadline: number, turn: string}} options
 */
async function approach(choice, args, call, { scroll, deadline, turn }) {
  const { require_enabled = true, require_hit = true, through_label = false, offset = null } = args;
  const { element: chosen, found } = choice;
  // A part of a button that takes no pointer events stands for the button.
  const element = (require_hit && stand_in(chosen)) || chosen;
  const by_label = args.until === 'click';
  const part = chosen;
  const options = { scroll, stable_ms: LONGEST_STABLE, deadline: Math.max(deadline, now() + STABLE), by_label, part, offset };
  let reached = await reach(element, options);
  let reason = obstacle(reached, { require_enabled, require_hit });
  if (reason && through_label && reached.connected && !reached.facts.disabled) {
    const by_label = await reach_label(element, options);
    if (by_label) {
      reached = by_label;
      reason = null;
    }
  }
  if (reason) return refuse_obstacle(element, reached, reason, found, through_label);
  if (is_superseded(args, turn)) return refuse_superseded();
  const { bounding_box, received_by, visibility } = reached.facts;
  const target = summary(element);
  if (args.until === 'wheel') await expect_wheel(element);
  const checks = args.until && {
    identity: identity_check(choice, args.locator, call),
    is_replaced: replacement_check(element, target, args.locator, call),
    point: visibility.action_point,
  };
  return ok({
    point: visibility.action_point,
    via: received_by,
    target,
    bounding_box,
    visibility,
    scrolled: reached.scrolled,
    stable: reached.stable,
    ...found,
    listening: begin_gesture(element, args, checks || {}),
  });
}
