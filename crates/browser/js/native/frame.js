// Reads the document inside a frame element.

import { capture_getter } from './capture.js';
import { html_name } from './kind.js';

/** @type {Record<string, (element: any) => Document | null>} */
const CONTENT = {
  iframe: capture_getter(HTMLIFrameElement.prototype, 'contentDocument'),
  frame: capture_getter(HTMLFrameElement.prototype, 'contentDocument'),
  object: capture_getter(HTMLObjectElement.prototype, 'contentDocument'),
};

/**
 * Returns the document inside a frame element; null when it is of another origin, or when the element is no frame.
 *
 * @param {Element} element
 * @returns {Document | null}
 */
export function frame_document(element) {
  return CONTENT[html_name(element) ?? '']?.(element) ?? null;
}
