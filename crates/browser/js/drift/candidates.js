// `drift.candidates`: elements of the page that may be what a lost target has become.

import { ok } from '../answer/answer.js';
import { query_pierced } from '../css/query_pierced.js';
import { is_rendered } from '../facts/is_rendered.js';
import { search_space } from '../locator/search_space.js';
import { fingerprint } from './fingerprint.js';
import { OPERATED } from './operable.js';
import { selectors } from './selectors.js';

/** The most candidates. */
const MAX_CANDIDATES = 600;

/** Tag names that may be asked for; the names come from a file. */
const TAG = /^[a-z][a-z0-9-]{0,60}$/;

/**
 * Describes the rendered elements that can be operated and those with one of the tags, each with selectors that match
 * nothing else.
 *
 * @param {{tags: string[]}} args
 */
export function drift_candidates({ tags }) {
  const { root, shadows } = search_space(document, { fresh: true });
  const wanted = [OPERATED, ...tags.filter((tag) => TAG.test(tag))].join(', ');
  const elements = query_pierced(root, shadows, wanted).filter(is_rendered).slice(0, MAX_CANDIDATES);
  const count = (/** @type {string} */ selector) => query_pierced(root, shadows, selector).length;
  return ok({
    candidates: elements.map((element) => ({ ...fingerprint(element), selectors: selectors(element, count) })),
  });
}
