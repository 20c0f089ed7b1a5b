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
  const chosen = await until(deadline_ms, () => {
    const now = choose(locator, call, { explain: false });
    if ('error' in now) {
      return now.error.code === 'target_not_found' ? may_hide(locator, call) : now;
    }
    return fit(now.ok.element) ? now : null;
  });
  return chosen ?? choose(locator, call);
}
