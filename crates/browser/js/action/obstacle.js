import { refuse } from '../answer/answer.js';
import { target_label } from '../facts/describe.js';

/** What a caller may do about an obstacle. */
const HINTS = new Map(
  Object.entries({
    aria_disabled: 'wait until the page enables it, or fill in what it waits for',
    closed_details: 'open the details element first',
    closed_dialog: 'open the dialog first',
    closed_popover: 'open the popover first',
    covered: 'close or scroll away what covers it',
    disabled: 'wait until the page enables it, or fill in what it waits for',
    display_none: 'make the page show it first',
    fieldset_disabled: 'wait until the page enables the fieldset',
    inert: 'close the dialog or layer that makes the rest of the page inert',
    option_of_a_closed_select: 'use form.select_option on the select element',
    out_of_view: 'the page does not let it scroll into view',
    pointer_events_none: 'aim at the element that takes the pointer instead',
    visibility_hidden: 'make the page show it first',
    zero_size: 'aim at an element that has a size, such as its label',
  }),
);

/**
 * Names the first thing that keeps an element from being acted on; null when nothing does.
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
  if (!require_hit || visibility.receives_events) return null;
  if (visibility.reasons.some(({ reason }) => reason === 'pointer_events_none')) return 'pointer_events_none';
  return visibility.in_viewport ? 'covered' : 'out_of_view';
}

/**
 * Refuses to act on an element, naming the obstacle and the element that causes it.
 *
 * @param {Element} element
 * @param {import('./reach.js').Reach} reached
 * @param {string} reason
 * @param {import('../locator/choose.js').Found} found
 * @returns {Refusal}
 */
export function refuse_obstacle(element, { facts, initial, scrolled, stable, connected }, reason, found) {
  const label = target_label(element);
  if (!connected)
    return refuse('target_detached', `\`${label}\` left the document while it was made ready`, { ...found });
  const { occluded_by, reasons } = facts.visibility;
  const by = reasons.find((each) => each.reason === reason)?.by;
  const words = reason.replaceAll('_', ' ');
  return refuse('target_not_actionable', `\`${label}\` cannot be acted on: ${words}${by ? ` (\`${by}\`)` : ''}`, {
    reason,
    hint: HINTS.get(reason) ?? null,
    bounding_box: facts.bounding_box,
    visibility: facts.visibility,
    initial_visibility: initial.visibility,
    occluded_by,
    scrolled,
    stable,
    ...found,
  });
}
