import { document_query } from '../native/document.js';
import { now } from '../wait/now.js';
import { shadow_roots } from './shadow_roots.js';

/** How long a search is remembered at most. */
const MEMORY = 1_000;

/** The last search of the document, as long as nothing has been added to it. */
let memory = /** @type {{roots: ShadowRoot[], complete: boolean, at: number} | null} */ (null);

const observer = new MutationObserver(forget_roots);

/**
 * Gives every reachable shadow root of the document.
 *
 * Asking every element for its root costs more than everything else a lookup does, so the last search is remembered
 * until something is added to the document. A script may still give a root to an element that was there before: what is
 * not found must be searched for again with `fresh`, which is also thorough.
 *
 * @param {{fresh: boolean}} options
 * @returns {{roots: ShadowRoot[], complete: boolean, remembered: boolean}}
 */
export function document_roots({ fresh }) {
  if (!fresh && memory && now() - memory.at < MEMORY && observer.takeRecords().length === 0) {
    return { ...memory, remembered: true };
  }
  forget_roots();
  const { roots, complete } = shadow_roots(document, { thorough: fresh });
  // An element that is defined later gets its root without being added.
  if (complete && document_query(document, ':not(:defined)') === null) remember(roots);
  return { roots, complete, remembered: false };
}

/**
 * Forgets the last search.
 */
export function forget_roots() {
  memory = null;
  observer.disconnect();
}

/** @param {ShadowRoot[]} roots */
function remember(roots) {
  memory = { roots, complete: true, at: now() };
  for (const root of [document, ...roots]) observer.observe(root, { childList: true, subtree: true });
}
