// Short descriptions of elements for error messages and evidence.

import { boxes } from '../geometry/boxes.js';
import { union } from '../geometry/rect.js';
import { attribute, local_name } from '../native/element.js';
import { role } from '../aria/role.js';
import { cut_text } from '../reading/cut_text.js';
import { visible_text } from '../reading/visible_text.js';

/**
 * Describes an element for a report: enough to recognise it, but never the value of a control.
 *
 * @param {Element} element
 * @returns {{target_label: string, tag_name: string, id: string | null, role: string | null, text: string, rect: Rect}}
 */
export function describe(element) {
  const id = attribute(element, 'id');
  return {
    target_label: target_label(element),
    tag_name: local_name(element),
    id: id ? cut_text(id, 80) : null,
    role: role(element) || null,
    text: visible_text(element, { max_chars: 80, max_nodes: 500 }).text,
    rect: union(boxes(element)),
  };
}

/**
 * Returns a short label that reads like a selector, such as `div#cookie-wall`.
 *
 * @param {Element} element
 * @returns {string}
 */
export function target_label(element) {
  const id = attribute(element, 'id');
  const classes = (attribute(element, 'class') ?? '').trim().split(/\s+/).filter(Boolean).slice(0, 2);
  const marks = (id ? `#${id}` : '') + classes.map((name) => `.${name}`).join('');
  return cut_text(`${local_name(element)}${marks}`, 120);
}
