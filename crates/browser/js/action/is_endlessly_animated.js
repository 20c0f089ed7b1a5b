// Detects animations that never end.

import { element_animations } from '../native/element.js';
import { flat_parent } from '../tree/flat_parent.js';

/**
 * Returns whether an infinite animation runs on an element or an ancestor, so that waiting for it to stop is pointless.
 *
 * @param {Element} element
 * @returns {boolean}
 */
export function is_endlessly_animated(element) {
  for (let /** @type {Element | null} */ at = element; at; at = flat_parent(at)) {
    for (const animation of element_animations(at)) {
      if (animation.playState !== 'running') continue;
      if (animation.effect?.getComputedTiming().endTime === Infinity) return true;
    }
  }
  return false;
}
