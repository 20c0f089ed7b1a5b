import { until } from '../wait/until.js';
import { choose } from './choose.js';
import { may_hide } from './may_hide.js';

/**
 * Waits until a locator means an element that is fit for the purpose, or the time is over; then the element is given as
 * it is, for the caller to say what it lacks.
 *
 * @param {Locator} locator
 * @param {Call} call
 * @param {number} deadline_ms 0 looks once
 * @param {(element: Element) => boolean} fit
 * @returns {Promise<ReturnType<typeof choose>>}
 */
export async function await_choice(locator, call, deadline_ms, fit) {
  let looked = false;
  const chosen = await until(deadline_ms, () => {
    const now = choose(locator, call, { explain: false });
    if ('error' in now) {
      if (now.error.code !== 'target_not_found') return now;
      const hidden = looked ? null : may_hide(locator, call);
      looked = true;
      return hidden;
    }
    return fit(now.ok.element) ? now : null;
  });
  return chosen ?? choose(locator, call);
}
