/** How long a frame is waited for before a timer stands in: a background tab paints none. */
const FRAME_TIMEOUT = 100;

/**
 * Waits for the next animation frame, or for a short while when the browser paints none.
 *
 * @returns {Promise<void>}
 */
export function next_frame() {
  return new Promise((done) => {
    const timer = setTimeout(finish, FRAME_TIMEOUT);
    const frame = requestAnimationFrame(finish);
    function finish() {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
      done();
    }
  });
}
