// Finds the ancestors that clip an element.

import { document_body, document_element } from '../native/document.js';
import {
  bounding_rect,
  client_height,
  client_left,
  client_top,
  client_width,
  element_matches,
  offset_height,
  offset_width,
} from '../native/element.js';
import { flat_parent } from '../tree/flat_parent.js';
import { rect_of } from './rect.js';

/**
 * @typedef {{element: Element, rect: Rect, cut: Rect, overflow_x: string, overflow_y: string}} Clip
 */

/**
 * Returns the ancestors that may clip an element, nearest first: those in its chain of containing blocks whose overflow
 * is not visible.
 *
 * @param {Element} element
 * @returns {Clip[]}
 */
export function clips(element) {
  /** @type {Clip[]} */
  const found = [];
  let position = getComputedStyle(element).position;
  let inside = element;
  for (let at = flat_parent(element); at; at = flat_parent(at)) {
    if (in_top_layer(inside) || at === document_element(document)) break;
    inside = at;
    const style = getComputedStyle(at);
    const passes_by = position === 'fixed' || (position === 'absolute' && style.position === 'static');
    if (passes_by && !contains_fixed(style)) continue;
    position = style.position;
    const clip = clip_of(at, style);
    if (clip) found.push(clip);
  }
  return found;
}

/** @param {Element} element */
function in_top_layer(element) {
  return element_matches(element, ':modal, :popover-open, :fullscreen');
}

/**
 * Returns whether an element is the containing block even for its fixed descendants.
 *
 * @param {CSSStyleDeclaration} style
 */
function contains_fixed(style) {
  return (
    style.transform !== 'none' ||
    style.perspective !== 'none' ||
    style.filter !== 'none' ||
    style.translate !== 'none' ||
    style.rotate !== 'none' ||
    style.scale !== 'none' ||
    /paint|layout|strict|content/.test(style.contain) ||
    /transform|perspective|filter/.test(style.willChange)
  );
}

/**
 * @param {Element} element
 * @param {CSSStyleDeclaration} style
 * @returns {Clip | null}
 */
function clip_of(element, style) {
  const { overflowX: overflow_x, overflowY: overflow_y, display } = style;
  if (overflow_x === 'visible' && overflow_y === 'visible') return null;
  if (display === 'contents' || display === 'inline') return null;
  if (gives_overflow_to_viewport(element)) return null;
  const outer = bounding_rect(element);
  // An axis that does not clip gets bounds beyond any page.
  const far = 1e7;
  const inner = padding_box(element, outer);
  return {
    element,
    rect: rect_of(inner.left, inner.top, inner.right, inner.bottom),
    cut: rect_of(
      overflow_x === 'visible' ? -far : inner.left,
      overflow_y === 'visible' ? -far : inner.top,
      overflow_x === 'visible' ? far : inner.right,
      overflow_y === 'visible' ? far : inner.bottom,
    ),
    overflow_x,
    overflow_y,
  };
}

/**
 * Returns whether the overflow of an element applies to the viewport instead, so that it does not clip at its own edge.
 *
 * @param {Element} element
 */
function gives_overflow_to_viewport(element) {
  const root = document_element(document);
  if (element !== document_body(document) || !root) return false;
  const style = getComputedStyle(root);
  return style.overflowX === 'visible' && style.overflowY === 'visible';
}

/**
 * Returns the padding box of an element, or the border box if it is transformed.
 *
 * @param {Element} element
 * @param {DOMRect} outer
 */
function padding_box(element, outer) {
  const transformed =
    !(element instanceof HTMLElement) ||
    Math.abs(offset_width(element) - outer.width) > 1 ||
    Math.abs(offset_height(element) - outer.height) > 1;
  if (transformed) return outer;
  const left = outer.left + client_left(element);
  const top = outer.top + client_top(element);
  return { left, top, right: left + client_width(element), bottom: top + client_height(element) };
}
