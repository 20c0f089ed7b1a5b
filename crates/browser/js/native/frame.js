import { capture_getter } from './capture.js';
import { html_name } from './kind.js';

/** @type {Record<string, (element: any) => Document | null>} */
const CONTENT = {
  iframe: capture_getter(HTMLIFrameElement.prototype, 'contentDocument'),
  frame: capture_getter(HTMLFrameElement.prototype, 'contentDocument'),
  object: capture_getter(HTMLObjectElement.prototype, 'contentDocument'),
};

/**
 * Gives the document that a frame element shows; null when it shows none that this one may look into, or is of a kind
 * that does not tell.
 *
 * @param {Element} element
 * @returns {Document | null}
 */
export function frame_document(element) {
  return CONTENT[html_name(element) ?? '']?.(element) ?? null;
}
