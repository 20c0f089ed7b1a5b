// Finds the scroll containers around or inside an element.

import { is_rendered } from '../facts/is_rendered.js';
import { document_body, document_element, scrolling_element } from '../native/document.js';
import { client_height, client_width, scroll_height, scroll_width } from '../native/element.js';
import { query_pierced } from '../css/query_pierced.js';
import { flat_parent } from '../tree/flat_parent.js';
import { shadow_roots } from '../tree/shadow_roots.js';

/** How many elements are tested for being scrollable. */
const MAX_ASKED = 20_000;

/**
 * Returns the nearest container around an element that scrolls along an axis.
 *
 * @param {Element} element
 * @param {boolean} across
 * @returns {Element | null | undefined} null for the viewport, undefined when nothing scrolls
 */
export function container_around(element, across) {
  for (let /** @type {Element | null} */ at = element; at; at = flat_parent(at)) {
    if (!is_page(at) && scrolls(at, across)) return at;
  }
  return viewport_scrolls(across) ? null : undefined;
}

/**
 * Lists the containers that may have to scroll to bring an element into view, innermost first; null stands for the
 * viewport.
 *
 * @param {Element} element
 * @returns {(Element | null)[]}
 */
export function containers_of(element) {
  /** @type {(Element | null)[]} */
  const around = [];
  for (let at = flat_parent(element); at; at = flat_parent(at)) {
    const overflows = scroll_height(at) > client_height(at) || scroll_width(at) > client_width(at);
    if (overflows && !is_page(at)) around.push(at);
  }
  return [...around, null];
}

/**
 * Returns the first rendered container that scrolls along an axis: an element itself, or one inside it.
 *
 * @param {Element} part
 * @param {boolean} across
 * @returns {Element | null | undefined} null for the viewport, undefined when nothing scrolls
 */
export function container_within(part, across) {
  if (is_page(part) && viewport_scrolls(across)) return null;
  const inside = query_pierced(part, shadow_roots(part).roots, '*').slice(0, MAX_ASKED);
  return [part, ...inside].find((element) => !is_page(element) && scrolls(element, across) && is_rendered(element));
}

/** @param {Element} element */
function is_page(element) {
  return (
    element === document_element(document) ||
    element === scrolling_element(document) ||
    (element === document_body(document) && getComputedStyle(element).overflowY === 'visible')
  );
}

/** @param {boolean} across */
function viewport_scrolls(across) {
  const page = scrolling_element(document);
  if (!page) return false;
  return across ? scroll_width(page) > innerWidth : scroll_height(page) > innerHeight;
}

/**
 * @param {Element} element
 * @param {boolean} across
 */
function scrolls(element, across) {
  const overflows = across
    ? scroll_width(element) > client_width(element)
    : scroll_height(element) > client_height(element);
  if (!overflows) return false;
  const style = getComputedStyle(element);
  return /^(auto|scroll|overlay)$/.test(across ? style.overflowX : style.overflowY);
}
