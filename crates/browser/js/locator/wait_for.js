import { ok, refuse } from '../answer/answer.js';
import { describe } from '../facts/describe.js';
import { is_rendered } from '../facts/is_rendered.js';
import { now } from '../wait/now.js';
import { until } from '../wait/until.js';
import { choose } from './choose.js';
import { may_hide } from './may_hide.js';
import { resolve } from './resolution.js';

/** What each state asks of the elements that match. */
const STATES = new Map(
  Object.entries({
    visible: (/** @type {Element[]} */ elements) => elements.some(is_rendered),
    attached: (/** @type {Element[]} */ elements) => elements.length > 0,
    hidden: (/** @type {Element[]} */ elements) => !elements.some(is_rendered),
    detached: (/** @type {Element[]} */ elements) => elements.length === 0,
  }),
);

/**
 * Waits until a locator is visible, attached, hidden or detached, by the page's own events.
 *
 * @param {{locator: Locator, state?: string, timeout_ms?: number}} args
 * @param {Call} call
 */
export async function locator_wait_for({ locator, state = 'visible', timeout_ms = 1_000 }, call) {
  const holds = STATES.get(state);
  if (!holds) return refuse('invalid_input', `there is no state \`${state}\``, { known: [...STATES.keys()] });
  const start = now();
  /** @type {Element[]} */
  let last = [];
  let looked = state === 'hidden' || state === 'detached';

  const outcome = await until(timeout_ms, () => {
    const resolved = resolve(locator, call);
    if ('error' in resolved) return state === 'detached' || state === 'hidden' ? settle_detached(resolved) : resolved;
    last = resolved.ok.elements;
    if (!holds(last)) {
      const hidden = looked || last.length > 0 ? null : may_hide(locator, call);
      looked = true;
      return hidden;
    }
    if (locator.strict && last.length > 1) {
      const chosen = choose(locator, call);
      if ('error' in chosen) return chosen;
    }
    return ok({ matched: true, state, elapsed_ms: Math.round(now() - start) });
  });
  if (outcome) return outcome;

  const rendered = last.filter(is_rendered).length;
  return refuse('timeout', `the locator was not ${state} within ${timeout_ms} ms`, {
    locator,
    state,
    timeout_ms,
    elapsed_ms: Math.round(now() - start),
    last_seen: {
      candidate_count: last.length,
      rendered_count: rendered,
      first: last[0] ? describe(last[0]) : null,
    },
  });

  /** @param {Refusal} refusal */
  function settle_detached(refusal) {
    if (refusal.error.code !== 'target_detached') return refusal;
    return ok({ matched: true, state, elapsed_ms: Math.round(now() - start) });
  }
}
