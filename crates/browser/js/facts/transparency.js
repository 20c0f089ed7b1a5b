// Finds styles that keep a person from seeing or touching a rendered element.

import { flat_parent } from '../tree/flat_parent.js';
import { target_label } from './describe.js';

/**
 * Returns the styles that make a rendered element invisible or untouchable: zero opacity and `pointer-events: none`.
 *
 * @param {Element} element
 * @returns {Reason[]}
 */
export function transparency(element) {
  /** @type {Reason[]} */
  const found = [];
  for (let /** @type {Element | null} */ at = element; at; at = flat_parent(at)) {
    if (Number(getComputedStyle(at).opacity) !== 0) continue;
    found.push({ reason: 'opacity_zero', by: target_label(at) });
    break;
  }
  if (getComputedStyle(element).pointerEvents === 'none') {
    found.push({ reason: 'pointer_events_none', by: target_label(pointer_events_source(element)) });
  }
  return found;
}

/**
 * Finds the outermost ancestor from which `pointer-events: none` is inherited.
 *
 * @param {Element} element
 */
function pointer_events_source(element) {
  let source = element;
  for (let at = flat_parent(element); at; at = flat_parent(at)) {
    if (getComputedStyle(at).pointerEvents !== 'none') break;
    source = at;
  }
  return source;
}
