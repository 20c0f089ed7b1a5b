// `locator.wait_for`: waits until elements appear or disappear.

import { ok, refuse } from '../answer/answer.js';
import { describe } from '../facts/describe.js';
import { is_rendered } from '../facts/is_rendered.js';
import { was_just_asked } from '../tree/closed_hosts.js';
import { now } from '../wait/now.js';
import { until } from '../wait/until.js';
import { choose, similar } from './choose.js';
import { refuse_if_hidden } from './refuse_if_hidden.js';
import { resolve } from './resolution.js';
import { refuse_to_call_absent, unreachable } from './unreachable.js';

/** The condition that each state sets on the matching elements. */
const STATES = new Map(
  Object.entries({
    visible: (/** @type {Element[]} */ elements) => elements.some(is_rendered),
    attached: (/** @type {Element[]} */ elements) => elements.length > 0,
    hidden: (/** @type {Element[]} */ elements) => !elements.some(is_rendered),
    detached: (/** @type {Element[]} */ elements) => elements.length === 0,
  }),
);

/**
 * Waits until a locator is visible, attached, hidden or detached. It checks after each event that may have changed the
 * page.
 *
 * An element does not count as gone while a closed shadow root may contain it.
 *
 * @param {{locator: Locator, state?: string, timeout_ms?: number, spent_ms?: number}} args `spent_ms` is the time that
 *   earlier calls for the same wait have used
 * @param {Call} call
 */
export async function locator_wait_for({ locator, state = 'visible', timeout_ms = 1_000, spent_ms = 0 }, call) {
  const holds = STATES.get(state);
  if (!holds) return refuse('invalid_input', `\`${state}\` is not a state: use visible, attached, hidden or detached`, { known: [...STATES.keys()] });
  const start = now() - spent_ms;
  const vanishes = state === 'hidden' || state === 'detached';
  /** @type {Element[]} */
  let last = [];

  const outcome = await until(timeout_ms, () => {
    const resolved = resolve(locator, call);
    if ('error' in resolved) return vanishes ? settle_detached(resolved) : resolved;
    last = resolved.ok.elements;
    if (!holds(last)) return vanishes || last.length > 0 ? null : refuse_if_hidden(locator, call);
    const doubt = vanishes ? refuse_to_call_absent(call, resolved.ok.complete, { locator, state }) : null;
    if (doubt) return call.unsearched && was_just_asked() ? null : doubt;
    if (locator.strict && last.length > 1) {
      const chosen = choose(locator, call);
      if ('error' in chosen) return chosen;
    }
    return ok({ matched: true, state, elapsed_ms: Math.round(now() - start) });
  });
  if (outcome) return outcome;

  const rendered = last.filter(is_rendered).length;
  return refuse('timeout', `the locator was not ${state} within ${timeout_ms + spent_ms} ms`, {
    locator,
    state,
    timeout_ms: timeout_ms + spent_ms,
    elapsed_ms: Math.round(now() - start),
    last_seen: {
      candidate_count: last.length,
      rendered_count: rendered,
      first: last[0] ? describe(last[0]) : null,
    },
    ...(!vanishes && last.length === 0 ? similar(locator, call) : {}),
    ...unreachable(),
  });

  /** @param {Refusal} refusal */
  function settle_detached(refusal) {
    if (refusal.error.code !== 'target_detached') return refusal;
    return ok({ matched: true, state, elapsed_ms: Math.round(now() - start) });
  }
}
