// `page.arrival`: reports the result of the navigation that loaded this document.

import { ok } from '../answer/answer.js';
import { document_title } from '../native/document.js';
import { cut_text } from '../reading/cut_text.js';

/**
 * Returns the title of the document and the HTTP status of its response. The status is null when there was no response,
 * as for a file or `about:blank`.
 */
export function page_arrival() {
  const [entry] = performance.getEntriesByType('navigation');
  const status = entry instanceof PerformanceNavigationTiming ? entry.responseStatus : 0;
  return ok({ title: cut_text(document_title(document), 1_000), status: status || null });
}
