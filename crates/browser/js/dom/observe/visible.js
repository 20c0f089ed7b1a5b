// `dom.observe.visible`: lists rendered elements.

import { within_bytes } from '../../answer/within_bytes.js';
import { facts } from '../../facts/facts.js';
import { is_rendered } from '../../facts/is_rendered.js';
import { boxes } from '../../geometry/boxes.js';
import { visible_parts } from '../../geometry/visible_parts.js';
import { local_name } from '../../native/element.js';
import { visible_text } from '../../reading/visible_text.js';
import { matches } from '../matches.js';

/**
 * Lists the rendered elements that match, inside or outside the viewport. No match is a success.
 *
 * @param {{selector?: string, text_contains?: string, text_equals?: string, in_viewport?: boolean, max_matches?: number,
 *   max_payload_bytes?: number}} args
 * @param {Call} call
 */
export function dom_observe_visible(args, call) {
  const { selector = '*', in_viewport = false, max_matches = 50, max_payload_bytes = 16_000, ...texts } = args;
  const matching = matches(call, selector, texts, in_viewport ? is_in_view : is_rendered);
  if ('error' in matching) return matching;
  const found = matching.ok;
  const listed = found.slice(0, max_matches);
  return within_bytes(
    {
      matches: listed.map(observation),
      match_count: listed.length,
      total_count: found.length,
      truncated: found.length > listed.length,
    },
    max_payload_bytes,
    {
      total_count: found.length,
      narrowing_hints: ['use a narrower selector', 'lower max_matches', 'add text_contains', 'raise max_payload_bytes'],
    },
  );
}

/** @param {Element} element */
function is_in_view(element) {
  return is_rendered(element) && visible_parts(element, boxes(element)).parts.length > 0;
}

/** @param {Element} element */
function observation(element) {
  const { bounding_box, visibility } = facts(element);
  const { visible_rect, action_point, in_viewport, receives_events, occluded_by } = visibility;
  return {
    tag_name: local_name(element),
    text: visible_text(element, { max_chars: 240, max_nodes: 2_000 }).text,
    bounding_box,
    in_viewport,
    visible_rect,
    visible_center: visible_rect && {
      x: visible_rect.x + visible_rect.width / 2,
      y: visible_rect.y + visible_rect.height / 2,
    },
    clickable: action_point !== null,
    receives_events,
    ...(action_point ? { clickable_center: action_point } : {}),
    occluded_by,
  };
}
