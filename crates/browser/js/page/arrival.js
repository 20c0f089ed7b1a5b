import { ok } from '../answer/answer.js';
import { document_title } from '../native/document.js';
import { cut_text } from '../reading/cut_text.js';

/**
 * Tells what a navigation came to: the title of the document, and the status of its response; null when it came without
 * one, as from a file or as `about:blank`.
 */
export function page_arrival() {
  const [entry] = performance.getEntriesByType('navigation');
  const status = entry instanceof PerformanceNavigationTiming ? entry.responseStatus : 0;
  return ok({ title: cut_text(document_title(document), 1_000), status: status || null });
}
