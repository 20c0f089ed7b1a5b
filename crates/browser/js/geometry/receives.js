// Decides whether an event on one element reaches another.

import { composed_closest } from '../tree/composed_closest.js';
import { flat_parent } from '../tree/flat_parent.js';

/**
 * Returns how an event on the element under the pointer reaches a target: directly, from a descendant, or through the
 * target's label; null when it does not.
 *
 * @param {Element} target
 * @param {Element | null} met the element under the pointer
 * @param {boolean} by_label whether the event is one that labels forward to their control, which only clicks are
 * @returns {'target' | 'descendant' | 'label' | null}
 */
export function receives(target, met, by_label) {
  if (!met) return null;
  if (met === target) return 'target';
  for (let at = flat_parent(met); at; at = flat_parent(at)) if (at === target) return 'descendant';
  if (!by_label) return null;
  // A link or a control inside a label consumes the click.
  const label = composed_closest(met, 'label, a[href], button, input, select, textarea');
  if (label instanceof HTMLLabelElement && label.control === target) return 'label';
  return null;
}
