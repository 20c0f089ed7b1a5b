// Finds the documents of frames that an extraction names.

import { ok, refuse } from '../answer/answer.js';
import { query_pierced } from '../css/query_pierced.js';
import { choose_frame, is_frame } from '../frame/owner.js';
import { frame_document } from '../native/frame.js';
import { shadow_roots } from '../tree/shadow_roots.js';

/**
 * Returns the document that the item's chain of frames leads to; null when a frame on the way is of another origin.
 *
 * @param {ExtractItem} item
 * @param {Call} call
 * @returns {{ok: Document | null} | Refusal}
 */
export function document_of({ id, frame }, call) {
  /** @type {Document} */
  let at = document;
  for (const link of typeof frame === 'string' ? [frame] : (frame ?? [])) {
    const found = at === document ? chosen(link, call) : first_frame(at, link);
    if ('error' in found) {
      const { code, message, evidence } = found.error;
      return refuse(code, message, { ...evidence, frame: link, extract: id });
    }
    const inner = frame_document(found.ok);
    if (!inner) return ok(null);
    at = inner;
  }
  return ok(at);
}

/**
 * @param {string} selector
 * @param {Call} call
 * @returns {{ok: Element} | Refusal}
 */
function chosen(selector, call) {
  const choice = choose_frame({ selector }, call);
  return 'error' in choice ? choice : ok(choice.ok.element);
}

/**
 * @param {Document} inner
 * @param {string} selector
 * @returns {{ok: Element} | Refusal}
 */
function first_frame(inner, selector) {
  const element = query_pierced(inner, shadow_roots(inner).roots, selector).find(is_frame);
  return element ? ok(element) : refuse('frame_not_found', `no frame matches \`${selector}\``);
}
