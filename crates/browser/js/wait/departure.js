// Notices that the document is about to be replaced, after which it could not answer any more.

import { listen, unlisten } from '../native/node.js';

/** Events that a document receives before it is replaced. */
const LEAVING = ['beforeunload', 'pagehide'];

/**
 * @typedef {object} Departure
 * @property {Promise<void>} begun resolves when the document is about to be replaced
 * @property {() => boolean} has_begun
 * @property {() => void} stop stops watching
 */

/**
 * Watches for the document to be replaced. Start it before the events that may make the page navigate: the browser
 * reports a navigation while the listener that asks for it still runs.
 *
 * @returns {Departure}
 */
export function watch_departure() {
  let leaving = false;
  /** @type {() => void} */
  let resolve = () => {};
  const begun = new Promise((/** @type {(value?: undefined) => void} */ done) => {
    resolve = () => done();
  });
  for (const event of LEAVING) listen(window, event, leave, { capture: true });
  return { begun, has_begun: () => leaving, stop };

  function leave() {
    leaving = true;
    resolve();
  }

  function stop() {
    for (const event of LEAVING) unlisten(window, event, leave, { capture: true });
  }
}
