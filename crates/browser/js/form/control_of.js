// Finds the control that a label or a component stands for.

import { query_all } from '../css/query_all.js';
import { accessible_name } from '../aria/name.js';
import { role } from '../aria/role.js';
import { target_label } from '../facts/describe.js';
import { capture_getter } from '../native/capture.js';
import { attribute, local_name } from '../native/element.js';
import { html_name } from '../native/kind.js';
import { cut_text } from '../reading/cut_text.js';
import { shadow_of } from '../tree/shadow_of.js';

const label_control = capture_getter(HTMLLabelElement.prototype, 'control');

/** How many elements of a component are searched, and how many components inside each other. */
const MAX_ELEMENTS = 2_000;
const MAX_DEPTH = 4;

/**
 * Returns the control that an element stands for: the control of a label, or the only fitting one in the shadow root of
 * a component. An element that fits, and one that stands for nothing, is returned itself.
 *
 * @param {Element} element
 * @param {(element: Element) => boolean} fits
 * @returns {Element}
 */
export function control_of(element, fits) {
  if (fits(element)) return element;
  const own = html_name(element) === 'label' ? label_control(/** @type {HTMLLabelElement} */ (element)) : null;
  if (own && fits(own)) return own;
  const inside = fitting_inside(own ?? element, fits, MAX_DEPTH);
  return inside.length === 1 ? /** @type {Element} */ (inside[0]) : element;
}

/**
 * @param {Element} host
 * @param {(element: Element) => boolean} fits
 * @param {number} depth
 * @returns {Element[]}
 */
function fitting_inside(host, fits, depth) {
  const root = shadow_of(host);
  if (!root || depth === 0) return [];
  const found = [];
  for (const each of Array.from(query_all(root, '*')).slice(0, MAX_ELEMENTS)) {
    if (fits(each)) found.push(each);
    else found.push(...fitting_inside(each, fits, depth - 1));
  }
  return found;
}

/**
 * Names the control that was acted on, if it is not the element that the locator matched.
 *
 * @param {Element} matched
 * @param {Element} control
 */
export function acted_on(matched, control) {
  if (matched === control) return {};
  const id = attribute(control, 'id');
  return {
    acted_on: {
      target_label: target_label(control),
      tag_name: local_name(control),
      id: id === null ? null : cut_text(id, 240),
      role: role(control) || null,
      name: cut_text(accessible_name(control), 240),
    },
  };
}
