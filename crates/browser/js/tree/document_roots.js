// Remembers the shadow roots of the document between calls.

import { document_query } from '../native/document.js';
import { now } from '../wait/now.js';
import { shadow_roots } from './shadow_roots.js';

/** How long a list of roots stays valid, in milliseconds. */
const MEMORY = 1_000;

/** The last search result; null after nodes have been added to the document. */
let memory = /** @type {{roots: ShadowRoot[], complete: boolean, at: number} | null} */ (null);

const observer = new MutationObserver(forget_roots);

/**
 * Returns every reachable shadow root of the document.
 *
 * Asking every element for its root is the most expensive part of a lookup, so the last result is remembered until
 * nodes are added to the document. A script may still attach a root to an existing element. Callers that find nothing
 * must therefore search again with `fresh`, which also searches more thoroughly.
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
  // A custom element that is defined later gets its root without a mutation, so remember nothing until all are defined.
  if (complete && document_query(document, ':not(:defined)') === null) remember(roots);
  return { roots, complete, remembered: false };
}

/** Discards the remembered roots. */
export function forget_roots() {
  memory = null;
  observer.disconnect();
}

/** @param {ShadowRoot[]} roots */
function remember(roots) {
  memory = { roots, complete: true, at: now() };
  for (const root of [document, ...roots]) observer.observe(root, { childList: true, subtree: true });
}
