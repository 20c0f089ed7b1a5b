// Collects everything an action needs to know about an element: rendered, in the viewport, hit by a pointer, enabled.

import { boxes } from '../geometry/boxes.js';
import { point_within } from '../geometry/point_within.js';
import { intersection, rect_of, union } from '../geometry/rect.js';
import { total_area, visible_parts } from '../geometry/visible_parts.js';
import { viewport } from '../geometry/viewport.js';
import { bounding_rect } from '../native/element.js';
import { describe, target_label } from './describe.js';
import { disabled_reason } from './disabled_reason.js';
import { hidden_reason } from './hidden_reason.js';
import { is_rendered } from './is_rendered.js';
import { aim_at, take_aim } from './take_aim.js';
import { transparency } from './transparency.js';

/**
 * Returns whether an element is rendered, in the viewport, hit by a pointer and enabled, with a reason for each of
 * these that does not hold.
 *
 * @param {Element} element
 * @param {{by_label?: boolean, part?: Element, offset?: Point | null}} [options] `by_label`: whether a pointer over the label of a control counts
 *   as hitting the control, as it does for a click; true when absent. `part`: the part of the element to hit; all of it
 *   when absent. `offset`: the point of that part to hit, from its top left corner; any point when absent
 * @returns {Facts}
 */
export function facts(element, { by_label = true, part = element, offset = null } = {}) {
  const disabled = disabled_reason(element);
  if (!is_rendered(part)) return hidden_facts(part, disabled);
  const painted = boxes(part);
  const { parts, clipped_by } = visible_parts(part, painted);
  // The hit test decides: a part that the geometry considers clipped may still be hit.
  const view = viewport();
  const asked = offset && point_within(part, offset);
  const aim = asked
    ? aim_at(element, asked, by_label)
    : take_aim(
        element,
        parts.length > 0 ? parts : painted.filter((box) => intersection(box, view)).slice(0, 1),
        by_label,
      );
  const is_outside = offset !== null && asked === null;
  const receives_events = aim.point !== null && !is_outside;
  const in_viewport = asked ? aim.point !== null || aim.occluder !== null : parts.length > 0 || receives_events;
  const ratio = parts.length > 0 ? Math.min(1, total_area(parts) / total_area(painted)) : 0;
  const reasons = transparency(element);
  if (disabled) reasons.push(disabled);
  if (is_outside) reasons.push({ reason: 'offset_outside', by: target_label(part) });
  if (!in_viewport) reasons.push({ reason: 'out_of_view', by: target_label(clipped_by[0]?.element ?? element) });
  else if (aim.occluder) reasons.push({ reason: 'covered', by: target_label(aim.occluder) });
  return {
    bounding_box: union(painted),
    received_by: aim.by,
    disabled,
    visibility: {
      exists: true,
      rendered: true,
      in_viewport,
      receives_events,
      enabled: disabled === null,
      visible: in_viewport,
      clickable: receives_events,
      fully_visible: ratio >= 0.98,
      visible_ratio: Math.round(ratio * 1000) / 1000,
      state: !in_viewport ? 'requires_scroll' : receives_events ? 'visible' : 'covered',
      visible_rect: parts.length > 0 ? union(parts) : null,
      clipped_by: clipped_by.slice(0, 8).map((clip) => ({
        target_label: target_label(clip.element),
        rect: clip.rect,
        overflow_x: clip.overflow_x,
        overflow_y: clip.overflow_y,
      })),
      action_point: aim.point,
      occluded_by: in_viewport && aim.occluder ? describe(aim.occluder) : null,
      reasons,
    },
  };
}

/**
 * @param {Element} element
 * @param {Reason | null} disabled
 * @returns {Facts}
 */
function hidden_facts(element, disabled) {
  const rect = bounding_rect(element);
  const reasons = [hidden_reason(element)];
  if (disabled) reasons.push(disabled);
  return {
    bounding_box: rect_of(rect.left, rect.top, rect.right, rect.bottom),
    received_by: null,
    disabled,
    visibility: {
      exists: true,
      rendered: false,
      in_viewport: false,
      receives_events: false,
      enabled: disabled === null,
      visible: false,
      clickable: false,
      fully_visible: false,
      visible_ratio: 0,
      state: 'not_rendered',
      visible_rect: null,
      clipped_by: [],
      action_point: null,
      occluded_by: null,
      reasons,
    },
  };
}
