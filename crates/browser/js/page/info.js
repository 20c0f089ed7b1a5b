// `page.info`: reports the URL, the title, the load state and the viewport of the document.

import { ok } from '../answer/answer.js';
import { viewport } from '../geometry/viewport.js';
import { document_title, document_url, ready_state } from '../native/document.js';
import { cut_text } from '../reading/cut_text.js';

/** Returns the URL, the title, the load state and the viewport of the document. */
export function page_info() {
  const { width, height } = viewport();
  return ok({
    url: document_url(document),
    title: cut_text(document_title(document), 1_000),
    ready_state: ready_state(document),
    viewport: { width, height, scroll_x: scrollX, scroll_y: scrollY },
  });
}
