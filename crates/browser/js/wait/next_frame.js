// Waits for an animation frame, with a timer for pages that the browser does not paint.

import { visibility_state } from '../native/document.js';

/** Fallback delay for a background tab, which is not painted. */
const IN_BACKGROUND = 100;

/**
 * Fallback delay for a foreground page. A busy machine may paint late, and stability without a painted frame proves
 * nothing.
 */
const IN_FOREGROUND = 2000;

/** Fallback delay for a frame, which is not painted while it is out of view. */
const IN_FRAME = 500;

/**
 * Waits for the next animation frame, or for the fallback delay if the browser paints none.
 *
 * @returns {Promise<void>}
 */
export function next_frame() {
  return new Promise((done) => {
    const timer = setTimeout(finish, fallback_delay());
    const frame = requestAnimationFrame(finish);
    function finish() {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
      done();
    }
  });
}

/** Returns the fallback delay in milliseconds. */
function fallback_delay() {
  if (visibility_state(document) === 'hidden') return IN_BACKGROUND;
  return window.parent === window ? IN_FOREGROUND : IN_FRAME;
}
