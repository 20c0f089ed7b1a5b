// Reaches a form control through its label.

import { take_aim } from '../facts/take_aim.js';
import { boxes } from '../geometry/boxes.js';
import { visible_parts } from '../geometry/visible_parts.js';
import { reach } from './reach.js';

/**
 * Makes a label of a control reachable and finds a point on it that activates the control; null when there is none.
 *
 * @param {Element} control
 * @param {Parameters<typeof reach>[1]} options
 * @returns {Promise<import('./reach.js').Reach | null>}
 */
export async function reach_label(control, options) {
  const labels = control instanceof HTMLInputElement ? control.labels : null;
  for (const label of labels ?? []) {
    const reached = await reach(label, { ...options, part: label });
    if (!reached.connected || !reached.facts.visibility.rendered) continue;
    // A link inside the label consumes the click, so hitting the label is not enough.
    const { point, by } = take_aim(control, visible_parts(label, boxes(label)).parts, true);
    if (!point) continue;
    const { visibility, ...rest } = reached.facts;
    return { ...reached, facts: { ...rest, received_by: by, visibility: { ...visibility, action_point: point } } };
  }
  return null;
}
