// `page.address`: turns a URL that may be relative to the document into an absolute one.

import { ok, refuse } from '../answer/answer.js';
import { base_uri } from '../native/document.js';

/**
 * Returns the absolute form of a URL, resolved against the base URL of the document.
 *
 * @param {{url: string}} args
 */
export function page_address({ url }) {
  const base = base_uri(document);
  try {
    return ok({ url: new URL(url, base).href });
  } catch {
    return refuse('navigation_failed', `\`${url}\` is not a valid URL, neither on its own nor relative to \`${base}\``, { url, base });
  }
}
