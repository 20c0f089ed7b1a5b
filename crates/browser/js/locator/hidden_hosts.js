import { bounding_rect, client_rects, element_matches, local_name } from '../native/element.js';
import { first_child, node_type } from '../native/node.js';
import { query_all } from '../css/query_all.js';
import { target_label } from '../facts/describe.js';
import { shadow_of } from '../tree/shadow_of.js';

/** Built-in elements that can host a shadow root; every custom element can. */
const HOSTS =
  'article, aside, blockquote, body, div, footer, h1, h2, h3, h4, h5, h6, header, main, nav, p, section, span';

/** How many elements are looked at, and how many are named. */
const MAX_VISITED = 50_000;
const MAX_NAMED = 10;

/**
 * Names elements that may host a closed shadow root, in which a match may hide: painted, without a root that can be
 * entered, and a custom element, an empty one, or one whose children have no box although nothing hides them.
 *
 * The page cannot tell for certain; the driver can ask the browser.
 *
 * @param {Root} root
 * @returns {string[]}
 */
export function hidden_hosts(root) {
  const named = [];
  let visited = 0;
  for (const element of query_all(root, `:is(:defined, ${HOSTS})`)) {
    visited += 1;
    if (visited > MAX_VISITED || named.length === MAX_NAMED) break;
    if (!may_host(element) || shadow_of(element) || !has_area(element)) continue;
    named.push(target_label(element));
  }
  return named;
}

/** @param {Element} element */
function may_host(element) {
  if (local_name(element).includes('-')) return true;
  if (!element_matches(element, HOSTS)) return false;
  const child = first_child(element);
  if (!child) return true;
  if (node_type(child) !== Node.ELEMENT_NODE) return false;
  const inner = /** @type {Element} */ (child);
  if (client_rects(inner).length > 0) return false;
  const { display } = getComputedStyle(inner);
  return display !== 'none' && display !== 'contents';
}

/** @param {Element} element */
function has_area(element) {
  const { width, height } = bounding_rect(element);
  return width > 0 && height > 0;
}
