// `a11y.facts`: says where an element of the accessibility tree is, and whether a click reaches it.

import { ok, refuse } from '../answer/answer.js';
import { facts } from '../facts/facts.js';
import { document_element } from '../native/document.js';
import { is_connected } from '../native/node.js';
import { composed_parent } from '../tree/composed_parent.js';

/**
 * Returns the place of the node that the driver passes. A text stands for the element around it.
 *
 * @param {object} _
 * @param {Call} call
 */
export function a11y_facts(_, call) {
  const element = element_of(call.nodes[0]);
  if (!element || !is_connected(element)) return refuse('target_not_found', 'the element has left the document');
  const { bounding_box, visibility } = facts(element);
  const { visible_rect, action_point } = visibility;
  return ok({
    bounding_box,
    visible_rect,
    visible_center: visible_rect && { x: visible_rect.x + visible_rect.width / 2, y: visible_rect.y + visible_rect.height / 2 },
    clickable: action_point !== null,
    receives_events: visibility.receives_events,
    occluded_by: visibility.occluded_by,
    ...(action_point ? { clickable_center: action_point } : {}),
  });
}

/**
 * @param {Node | undefined} node
 * @returns {Element | null}
 */
function element_of(node) {
  if (node instanceof Document) return document_element(node);
  /** @type {Node | null} */
  let at = node ?? null;
  while (at && !(at instanceof Element)) at = composed_parent(at);
  return at;
}
