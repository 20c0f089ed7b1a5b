// `locator.element_info`: describes an element and finds a point where it can be clicked.

import { obstacle, refuse_obstacle } from '../action/obstacle.js';
import { reach } from '../action/reach.js';
import { ok } from '../answer/answer.js';
import { accessible_name } from '../aria/name.js';
import { role } from '../aria/role.js';
import { facts } from '../facts/facts.js';
import { local_name } from '../native/element.js';
import { cut_text } from '../reading/cut_text.js';
import { visible_text } from '../reading/visible_text.js';
import { now } from '../wait/now.js';
import { choose } from './choose.js';

/** How long to wait for an element to stop moving, in milliseconds. */
const STABLE_MS = 400;

/**
 * Resolves a locator and returns what the element is, where it is and where it can be clicked.
 *
 * @param {{locator: Locator, auto_scroll?: boolean, max_candidates?: number}} args
 * @param {Call} call
 */
export async function locator_element_info({ locator, auto_scroll = true, max_candidates = 10 }, call) {
  const chosen = choose(locator, call);
  if ('error' in chosen) return chosen;
  const { element, elements, found } = chosen.ok;
  const reached = auto_scroll ? await within_reach(element) : as_it_is(element);
  const { visibility, bounding_box } = reached.facts;
  const reason = auto_scroll ? obstacle(reached, { require_enabled: false, require_hit: true }) : null;
  if (reason) return refuse_obstacle(element, reached, reason, found);
  return ok({
    tag_name: local_name(element),
    role: role(element) || null,
    name: cut_text(accessible_name(element), 1_000),
    text: visible_text(element, { max_chars: 1_000 }).text,
    bounding_box,
    ...clickable(reached.facts),
    visibility,
    initial_visibility: reached.initial.visibility,
    scrolled: reached.scrolled,
    stable: reached.stable,
    ...found,
    candidates: elements.slice(0, max_candidates).map((each) => candidate(each, element, reached.facts)),
  });
}

/** @param {Element} element */
function within_reach(element) {
  return reach(element, { scroll: true, stable_ms: STABLE_MS, deadline: now() + STABLE_MS });
}

/**
 * @param {Element} element
 * @returns {import('../action/reach.js').Reach}
 */
function as_it_is(element) {
  const seen = facts(element);
  return { facts: seen, initial: seen, scrolled: false, stable: true, connected: true };
}

/**
 * @param {Element} element
 * @param {Element} chosen
 * @param {Facts} facts_of_chosen
 */
function candidate(element, chosen, facts_of_chosen) {
  const seen = element === chosen ? facts_of_chosen : facts(element);
  return {
    tag_name: local_name(element),
    text: visible_text(element, { max_chars: 240, max_nodes: 2_000 }).text,
    bounding_box: seen.bounding_box,
    ...clickable(seen),
    visibility: seen.visibility,
  };
}

/**
 * Returns a click point only if the hit test found the element there.
 *
 * @param {Facts} seen
 */
function clickable({ visibility: { action_point } }) {
  return action_point ? { clickable_center: action_point, clickable: true } : { clickable: false };
}
