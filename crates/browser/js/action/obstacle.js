// Names what prevents an action on an element, and what the caller can do about it.

import { refuse } from '../answer/answer.js';
import { target_label } from '../facts/describe.js';
import { hit } from '../geometry/hit.js';
import { element_matches } from '../native/element.js';
import { composed_contains } from '../tree/composed_contains.js';
import { flat_parent } from '../tree/flat_parent.js';

/** What the caller can do about each obstacle. */
const HINTS = new Map(
  Object.entries({
    aria_disabled: 'wait until the page enables it, or fill in the fields it depends on',
    closed_details: 'open the details element first',
    closed_dialog: 'open the dialog first',
    closed_popover: 'open the popover first',
    covered: 'close the element that covers it, or scroll it away; if it belongs to the same control, target it instead',
    disabled: 'wait until the page enables it, or fill in the fields it depends on',
    display_none: 'make the page show it first',
    fieldset_disabled: 'wait until the page enables the fieldset',
    inert: 'close the dialog or layer that makes the rest of the page inert',
    offset_outside: 'choose an offset within the element; its size is in bounding_box',
    option_of_a_closed_select: 'use form.select_option on the select element',
    out_of_view: 'the page prevents scrolling it into view',
    pointer_events_none: 'target the element that receives pointer events instead',
    visibility_hidden: 'make the page show it first',
    zero_size: 'target an element that has a size, such as its label',
  }),
);

/**
 * Returns the first reason why an element cannot be acted on; null when there is none.
 *
 * @param {import('./reach.js').Reach} reached
 * @param {{require_enabled: boolean, require_hit: boolean}} wanted
 * @returns {string | null}
 */
export function obstacle({ facts, connected }, { require_enabled, require_hit }) {
  const { visibility, disabled } = facts;
  if (!connected) return 'detached';
  if (!visibility.rendered) return visibility.reasons[0]?.reason ?? 'not_rendered';
  if (require_enabled && disabled) return disabled.reason;
  if (visibility.reasons.some(({ reason }) => reason === 'offset_outside')) return 'offset_outside';
  if (!require_hit || visibility.receives_events) return null;
  if (visibility.reasons.some(({ reason }) => reason === 'pointer_events_none')) return 'pointer_events_none';
  return visibility.in_viewport ? 'covered' : 'out_of_view';
}

/**
 * Refuses to act on an element, with the obstacle and the element that causes it.
 *
 * @param {Element} element
 * @param {import('./reach.js').Reach} reached
 * @param {string} reason
 * @param {import('../locator/choose.js').Found} found
 * @param {boolean} [through_label] whether the labels of the element were tried
 * @returns {Refusal}
 */
export function refuse_obstacle(element, { facts, initial, scrolled, stable, connected }, reason, found, through_label = false) {
  const label = target_label(element);
  if (!connected)
    return refuse('target_detached', `\`${label}\` was removed from the document before it could be acted on`, { ...found });
  const { occluded_by, reasons } = facts.visibility;
  const by = reasons.find((each) => each.reason === reason)?.by;
  const words = reason.replaceAll('_', ' ');
  return refuse('target_not_actionable', `\`${label}\` cannot be acted on: ${words}${by ? ` (\`${by}\`)` : ''}`, {
    reason,
    hint: hint(element, facts, reason, through_label),
    bounding_box: facts.bounding_box,
    visibility: facts.visibility,
    initial_visibility: initial.visibility,
    occluded_by,
    scrolled,
    stable,
    ...found,
  });
}

/** Obstacles of controls that a page hides behind their labels. */
const BEHIND = new Set(['covered', 'out_of_view', 'zero_size']);

/**
 * @param {Element} element
 * @param {Facts} facts
 * @param {string} reason
 * @param {boolean} through_label
 */
function hint(element, { bounding_box: { x, y, width, height } }, reason, through_label) {
  if (BEHIND.has(reason) && element_matches(element, 'input[type=checkbox], input[type=radio]')) {
    const around = flat_parent(element);
    if (!through_label) return 'use form.set_checked, which clicks the label of a control that cannot be reached';
    if (around) return `it is hidden and has no label: target the element that shows it, perhaps \`${target_label(around)}\``;
  }
  const over = reason === 'covered' ? hit({ x: x + width / 2, y: y + height / 2 }) : null;
  if (over && over !== element && composed_contains(over, element)) {
    return 'it lies hidden within the element that covers it: target that one';
  }
  return HINTS.get(reason) ?? null;
}
