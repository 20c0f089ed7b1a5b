// Summarises an element for the output of primitives.

import { accessible_name } from '../aria/name.js';
import { role } from '../aria/role.js';
import { boxes } from '../geometry/boxes.js';
import { union } from '../geometry/rect.js';
import { attribute, element_matches, local_name } from '../native/element.js';
import { cut_text } from '../reading/cut_text.js';
import { visible_text } from '../reading/visible_text.js';

/**
 * Returns what an element is, what it says and where it is.
 *
 * @param {Element} element
 */
export function summary(element) {
  return {
    tag_name: local_name(element),
    id: short(attribute(element, 'id')),
    class_name: short(attribute(element, 'class')) ?? '',
    role: role(element) || null,
    name: cut_text(accessible_name(element), 240),
    data_testid: short(attribute(element, 'data-testid')),
    type: short(attribute(element, 'type')),
    text: visible_text(element, { max_chars: 240, max_nodes: 2_000 }).text,
    disabled: element_matches(element, ':disabled'),
    aria_disabled: attribute(element, 'aria-disabled') === 'true',
    bounding_box: union(boxes(element)),
  };
}

/** @param {string | null} text */
function short(text) {
  return text === null ? null : cut_text(text, 240);
}
