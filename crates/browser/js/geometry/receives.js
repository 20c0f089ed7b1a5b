import { composed_closest } from '../tree/composed_closest.js';
import { flat_parent } from '../tree/flat_parent.js';

/**
 * Says how an event aimed at one element reaches another one: itself, from a descendant, or by way of its label.
 *
 * @param {Element} target
 * @param {Element | null} met the element the pointer meets
 * @param {boolean} by_label whether the event is one that a label hands on to its control: only a click is
 * @returns {'target' | 'descendant' | 'label' | null}
 */
export function receives(target, met, by_label) {
  if (!met) return null;
  if (met === target) return 'target';
  for (let at = flat_parent(met); at; at = flat_parent(at)) if (at === target) return 'descendant';
  if (!by_label) return null;
  // A link or a control inside a label keeps the click for itself.
  const label = composed_closest(met, 'label, a[href], button, input, select, textarea');
  if (label instanceof HTMLLabelElement && label.control === target) return 'label';
  return null;
}
