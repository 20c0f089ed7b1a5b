// Resolves the `scope` argument of extraction and scrolling to an element.

import { refuse } from '../answer/answer.js';
import { query_pierced } from '../css/query_pierced.js';
import { refuse_selector } from '../css/refuse_selector.js';
import { choose } from '../locator/choose.js';
import { composed_closest } from '../tree/composed_closest.js';
import { composed_parent } from '../tree/composed_parent.js';
import { shadow_roots } from '../tree/shadow_roots.js';

/**
 * Returns the part of the page that a scope describes: the first rendered match, widened to an ancestor on request.
 *
 * @param {Scope} scope
 * @param {string | undefined} item_selector the selector of items, for the strategy that widens to an ancestor with
 *   items
 * @param {Call} call
 * @returns {{ok: {element: Element, candidate_count: number}} | Refusal}
 */
export function resolve_scope(scope, item_selector, call) {
  const { root_selector, root_strategy = 'scope', max_ancestor_depth = 4, ...where } = scope;
  const locator =
    where.selector === undefined && where.selectors === undefined ? { ...where, selector: 'body' } : where;
  // A part of the text is compared without regard to case; the whole text is not.
  const ignore_case = where.text_contains !== undefined && where.text_equals === undefined;
  const chosen = choose(ignore_case ? { ...locator, ignore_case } : locator, call);
  if ('error' in chosen) return chosen;
  const { element, found } = chosen.ok;
  const bad = refuse_selector('root_selector', root_selector) ?? refuse_selector('item_selector', item_selector);
  if (bad) return bad;
  const root = widen(element, root_selector, root_strategy, max_ancestor_depth, item_selector);
  if (root) return { ok: { element: root, candidate_count: found.candidate_count } };
  return refuse('target_not_found', 'no ancestor of the scope matches `root_selector` or contains items', { scope });
}

/**
 * @param {Element} element
 * @param {string | undefined} root_selector
 * @param {Scope['root_strategy']} strategy
 * @param {number} depth
 * @param {string | undefined} item_selector
 * @returns {Element | null}
 */
function widen(element, root_selector, strategy, depth, item_selector) {
  const start = root_selector === undefined ? element : composed_closest(element, root_selector);
  if (!start || strategy === 'scope') return start;
  if (strategy === 'parent') return composed_parent(start) ?? start;
  if (item_selector === undefined) return start;
  /** @type {Element | null} */
  let at = start;
  for (let steps = 0; at && steps <= depth; steps += 1) {
    if (query_pierced(at, shadow_roots(at).roots, item_selector).length > 0) return at;
    at = composed_parent(at);
  }
  return null;
}
