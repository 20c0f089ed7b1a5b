import { listen, unlisten } from '../native/node.js';
import { next_frame } from '../wait/next_frame.js';

/** What a document hears before it makes room for another. */
const LEAVING = ['beforeunload', 'pagehide'];

/**
 * Waits for what the page makes of something that was done to a form: a frame, or the end of the document, which it may
 * bring about and after which nothing could be answered any more.
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
