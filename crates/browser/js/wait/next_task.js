/**
 * Waits until the browser has done what it is doing and takes up something else.
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
