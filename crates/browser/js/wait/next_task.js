// Yields to the browser's event loop.

/**
 * Waits for the next task of the event loop, after the browser has finished the current one.
 *
 * @returns {Promise<void>}
 */
export function next_task() {
  const { port1, port2 } = new MessageChannel();
  return new Promise((done) => {
    port1.onmessage = () => {
      port1.close();
      done();
    };
    port2.postMessage(null);
  });
}
