// Notifies about anything that may have changed the page.

import { listen, unlisten } from '../native/node.js';
import { shadow_roots } from '../tree/shadow_roots.js';
import { now } from './now.js';

/** Events after which the page may look different although its DOM has not changed. */
const EVENTS = [
  'load',
  'resize',
  'scroll',
  'scrollend',
  'animationstart',
  'animationend',
  'animationcancel',
  'transitionrun',
  'transitionend',
  'transitioncancel',
  'toggle',
  'focusin',
  'focusout',
  'input',
  'change',
  'slotchange',
  'pointerover',
  'popstate',
  'hashchange',
  'readystatechange',
  'visibilitychange',
];

/** The interval of the slow poll in milliseconds, for changes without an event, such as a new rule in a style sheet. */
const POLL = 150;

/** The shortest time between two searches for new shadow roots, in milliseconds. */
const WIDEN_EVERY = 100;

/**
 * Calls `on_change` whenever the page may have changed: its DOM, shadow roots included, its layout, or its styles.
 *
 * @param {() => void} on_change
 * @returns {{widen: () => void, stop: () => void}} `widen` also observes shadow roots that have appeared since
 */
export function watch_page(on_change) {
  /** @type {WeakSet<Node>} */
  const watched = new WeakSet();
  const observer = new MutationObserver(on_change);
  const poll = setInterval(on_change, POLL);
  for (const event of EVENTS) listen(window, event, on_change, { capture: true, passive: true });
  let widened_at = -WIDEN_EVERY;
  widen();
  return { widen, stop };

  function widen() {
    if (now() - widened_at < WIDEN_EVERY) return;
    for (const root of [document, ...shadow_roots(document).roots]) {
      if (watched.has(root)) continue;
      watched.add(root);
      observer.observe(root, { childList: true, subtree: true, attributes: true, characterData: true });
    }
    widened_at = now();
  }

  function stop() {
    clearInterval(poll);
    observer.disconnect();
    for (const event of EVENTS) unlisten(window, event, on_change, { capture: true });
  }
}
