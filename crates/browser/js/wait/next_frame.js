import { visibility_state } from '../native/document.js';

/** How long a frame is waited for before a timer stands in. A background tab paints none. */
const IN_BACKGROUND = 100;

/** What is in the foreground paints, be it late on a busy machine: what stood still without a frame was not seen standing still. */
const IN_FOREGROUND = 2000;

/** A frame of the page that is out of view paints none either. */
const IN_FRAME = 500;

/**
 * Waits for the next animation frame, or for a short while when the browser paints none.
 *
 * @returns {Promise<void>}
 */
export function next_frame() {
  return new Promise((done) => {
    const timer = setTimeout(finish, patience());
    const frame = requestAnimationFrame(finish);
    function finish() {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
      done();
    }
  });
}

/** How long a timer stays back. */
function patience() {
  if (visibility_state(document) === 'hidden') return IN_BACKGROUND;
  return window.parent === window ? IN_FOREGROUND : IN_FRAME;
}
