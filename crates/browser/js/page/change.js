// `page.change`: waits for the next change of the DOM, so that the driver can pace its retries.

import { ok } from '../answer/answer.js';
import { shadow_roots } from '../tree/shadow_roots.js';

/**
 * Waits until the DOM changes, shadow roots included, or the timeout passes. It does not notice changes made by style
 * sheets alone: callers use it to pace retries, not to decide anything.
 *
 * @param {{timeout_ms: number}} args
 * @returns {Promise<Answer<{changed: boolean}>>}
 */
export function page_change({ timeout_ms }) {
  return new Promise((done) => {
    const observer = new MutationObserver(() => finish(true));
    const end = setTimeout(() => finish(false), Math.max(0, timeout_ms));
    for (const root of [document, ...shadow_roots(document).roots]) {
      observer.observe(root, { childList: true, subtree: true, attributes: true, characterData: true });
    }
    /** @param {boolean} changed */
    function finish(changed) {
      clearTimeout(end);
      observer.disconnect();
      done(ok({ changed }));
    }
  });
}
