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

/** The states, and how many elements a state counts; those that it counts must be none for it to hold if it `vanishes`. */
const STATES = new Map(
  Object.entries({
    visible: { count: rendered_count, vanishes: false },
    attached: { count: (/** @type {Element[]} */ elements) => elements.length, vanishes: false },
    hidden: { count: rendered_count, vanishes: true },
    detached: { count: (/** @type {Element[]} */ elements) => elements.length, vanishes: true },
  }),
);

/** @param {Element[]} elements */
function rendered_count(elements) {
  return elements.filter(is_rendered).length;
}

/**
 * Waits until a locator is visible, attached, hidden or detached. It checks after each event that may have changed the
 * page.
 *
 * An element does not count as gone while a closed shadow root may contain it.
 *
 * @param {{locator: Locator, state?: string, min_count?: number, max_count?: number, timeout_ms?: number, spent_ms?: number}} args
 *   `spent_ms` is the time that earlier calls for the same wait have used
 * @param {Call} call
 */
export async function locator_wait_for(args, call) {
  const { locator, state = 'visible', timeout_ms = 1_000, spent_ms = 0 } = args;
  const wanted = STATES.get(state);
  if (!wanted) return refuse('invalid_input', `\`${state}\` is not a state: use visible, attached, hidden or detached`, { known: [...STATES.keys()] });
  const start = now() - spent_ms;
  const { count, vanishes } = wanted;
  const counts = args.min_count !== undefined || args.max_count !== undefined;
  const [least, most] = vanishes ? [0, 0] : [args.min_count ?? (args.max_count === undefined ? 1 : 0), args.max_count ?? Infinity];
  /** @param {Element[]} elements */
  const holds = (elements) => {
    const found = count(elements);
    return found >= least && found <= most;
  };
  /** @type {Element[]} */
  let last = [];

  const outcome = await until(timeout_ms, () => {
    const resolved = resolve(locator, call);
    if ('error' in resolved) return vanishes ? settle_detached(resolved) : resolved;
    last = resolved.ok.elements;
    if (!holds(last)) return vanishes || last.length > 0 || counts ? null : refuse_if_hidden(locator, call);
    const doubt = vanishes ? refuse_to_call_absent(call, resolved.ok.complete, { locator, state }) : null;
    if (doubt) return call.unsearched && was_just_asked() ? null : doubt;
    if (locator.strict && last.length > 1) {
      const chosen = choose(locator, call);
      if ('error' in chosen) return chosen;
    }
    return ok({ matched: true, state, ...(counts ? { count: count(last) } : {}), elapsed_ms: Math.round(now() - start) });
  });
  if (outcome) return outcome;

  const rendered = last.filter(is_rendered).length;
  return refuse('timeout', `the locator was not ${state} ${counts ? `${least} to ${most} times ` : ''}within ${timeout_ms + spent_ms} ms`, {
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
