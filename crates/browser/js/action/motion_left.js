// Measures how long finite animations and transitions will keep moving an element.

import { document_animations } from '../native/document.js';
import { element_animations } from '../native/element.js';
import { flat_parent } from '../tree/flat_parent.js';

/** The longest wait for an animation, in milliseconds. Those that take longer, such as progress bars, rarely move anything. */
const LONGEST = 5_000;

/**
 * Returns the milliseconds until the last finite animation that may move an element has ended; 0 when none runs. An
 * animation elsewhere may move it too, because it may change the layout.
 *
 * @param {Element} element
 * @returns {number}
 */
export function motion_left(element) {
  const running = new Set(document_animations(document));
  for (let /** @type {Element | null} */ at = element; at; at = flat_parent(at)) {
    for (const animation of element_animations(at)) running.add(animation);
  }
  let longest = 0;
  for (const animation of running) {
    const left = time_left(animation);
    if (left <= LONGEST) longest = Math.max(longest, left);
  }
  return longest;
}

/** @param {Animation} animation */
function time_left({ playState, effect, currentTime, playbackRate }) {
  if (playState !== 'running' || typeof currentTime !== 'number') return 0;
  const end = Number(effect?.getComputedTiming().endTime ?? 0);
  const left = playbackRate > 0 ? end - currentTime : currentTime;
  return playbackRate === 0 ? 0 : Math.max(0, left / Math.abs(playbackRate));
}
