// Waits for an element that suits an action.

import { until } from '../wait/until.js';
import { choose } from './choose.js';
import { refuse_if_hidden } from './refuse_if_hidden.js';

/**
 * Waits until a locator resolves to an element that passes the test. After the deadline it returns the current element
 * even if the test fails, so that the caller can report what is wrong with it.
 *
 * @param {Locator} locator
 * @param {Call} call
 * @param {number} deadline_ms 0 checks once
 * @param {(element: Element) => boolean} fit
 * @returns {Promise<ReturnType<typeof choose>>}
 */
export async function await_choice(locator, call, deadline_ms, fit) {
  const chosen = await until(deadline_ms, () => {
    const now = choose(locator, call, { explain: false });
    if ('error' in now) {
      return now.error.code === 'target_not_found' ? refuse_if_hidden(locator, call) : now;
    }
    return fit(now.ok.element) ? now : null;
  });
  return chosen ?? choose(locator, call);
}
