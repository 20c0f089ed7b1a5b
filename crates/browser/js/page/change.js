import { ok } from '../answer/answer.js';
import { shadow_roots } from '../tree/shadow_roots.js';

/**
 * Waits until the tree of the document changes, shadow roots included, or the time is over. What styles alone change is
 * not noticed: this paces attempts, it decides nothing.
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
