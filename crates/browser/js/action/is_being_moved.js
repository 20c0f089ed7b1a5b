// Detects finite animations and transitions that are moving an element.

import { element_animations } from '../native/element.js';
import { flat_parent } from '../tree/flat_parent.js';

/** Properties whose animation changes the look of an element, but not its place. */
const LOOKS = /^(opacity|visibility|color|fill|stroke|filter|backdropFilter|boxShadow|textShadow|cursor|caretColor|accentColor|background.*|outline.*|textDecoration.*|border.*Color|offset|computedOffset|easing|composite)$/;

/**
 * Returns whether a finite animation of an element or an ancestor is changing its place or size right now. Two frames can
 * show the same place while it does, for example when it has just begun.
 *
 * @param {Element} element
 * @returns {boolean}
 */
export function is_being_moved(element) {
  for (let /** @type {Element | null} */ at = element; at; at = flat_parent(at)) {
    if (element_animations(at).some(moves)) return true;
  }
  return false;
}

/** @param {Animation} animation */
function moves({ playState, effect }) {
  if (playState !== 'running' || !(effect instanceof KeyframeEffect)) return false;
  const { endTime, progress } = effect.getComputedTiming();
  // Without progress, the animation waits for its start.
  if (endTime === Infinity || progress === null) return false;
  return effect.getKeyframes().some((keyframe) => Object.keys(keyframe).some((property) => !LOOKS.test(property)));
}
