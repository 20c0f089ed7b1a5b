import { ok, refuse } from '../answer/answer.js';
import { base_uri } from '../native/document.js';

/**
 * Gives an address as it stands for itself, which may be relative to the document.
 *
 * @param {{url: string}} args
 */
export function page_address({ url }) {
  const base = base_uri(document);
  try {
    return ok({ url: new URL(url, base).href });
  } catch {
    return refuse('navigation_failed', `\`${url}\` is no address, and cannot be one relative to \`${base}\``, { url, base });
  }
}
