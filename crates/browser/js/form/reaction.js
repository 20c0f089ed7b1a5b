// Waits for the page to react to a changed form control.

import { listen, unlisten } from '../native/node.js';
import { next_frame } from '../wait/next_frame.js';

/** Events that a document receives before it is replaced. */
const LEAVING = ['beforeunload', 'pagehide'];

/**
 * Waits for one animation frame, or until the document is about to be replaced, after which it could not answer any
 * more.
 *
 * @returns {Promise<void>}
 */
export async function reaction() {
  /** @type {() => void} */
  let leave = () => {};
  const leaving = new Promise((/** @type {(value?: undefined) => void} */ done) => {
    leave = () => done();
  });
  for (const event of LEAVING) listen(window, event, leave, { capture: true });
  await Promise.race([next_frame(), leaving]);
  for (const event of LEAVING) unlisten(window, event, leave, { capture: true });
}
