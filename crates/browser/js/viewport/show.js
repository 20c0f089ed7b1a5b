// `viewport.show`: scrolls an element into view for a screenshot or a frame.

import { show } from '../action/scroll_to.js';
import { ok } from '../answer/answer.js';
import { choose } from '../locator/choose.js';
import { next_frame } from '../wait/next_frame.js';

/**
 * Scrolls an element into view if it is not entirely visible.
 *
 * @param {{locator: Locator}} args
 * @param {Call} call
 */
export async function viewport_show({ locator }, call) {
  const chosen = choose(locator, call);
  if ('error' in chosen) return chosen;
  const scrolled = show(chosen.ok.element);
  if (scrolled) await next_frame();
  return ok({ scrolled });
}
