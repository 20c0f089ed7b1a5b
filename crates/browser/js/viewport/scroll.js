// `viewport.scroll`: scrolls the page or a container by an amount, or scrolls an element into view.

import { ok, refuse } from '../answer/answer.js';
import { PLACEMENTS, scroll_to } from '../action/scroll_to.js';
import { target_label } from '../facts/describe.js';
import { facts } from '../facts/facts.js';
import { hidden_reason } from '../facts/hidden_reason.js';
import { is_rendered } from '../facts/is_rendered.js';
import { boxes } from '../geometry/boxes.js';
import { viewport } from '../geometry/viewport.js';
import { visible_parts } from '../geometry/visible_parts.js';
import { choose } from '../locator/choose.js';
import { bounding_rect, check_visibility, element_scroll_by } from '../native/element.js';
import { is_connected } from '../native/node.js';
import { resolve_scope } from '../scope/resolve_scope.js';
import { container_around, container_within, containers_of } from './containers.js';
import { come_to_rest, is_same_position, position_at, room_left, scroll_position, scroll_result } from './scroll_position.js';

/**
 * @typedef {object} ScrollArgs
 * @property {number} [delta_x]
 * @property {number} [delta_y]
 * @property {Scope} [scope]
 * @property {string} [item_selector]
 * @property {Locator} [locator]
 * @property {boolean} [into_view]
 */

/**
 * Scrolls the page or a container, or brings an element into view, without smooth scrolling even if the page's style
 * asks for it.
 *
 * @param {ScrollArgs} args
 * @param {Call} call
 */
export async function viewport_scroll(args, call) {
  const { delta_x = 0, delta_y = 0, locator, into_view = false } = args;
  if (locator && into_view) {
    const chosen = choose(locator, call);
    return 'error' in chosen ? chosen : into_view_of(chosen.ok.element);
  }
  const found = find_scroller(args, call);
  if ('error' in found) return found;
  const scroller = found.ok;
  const before = scroll_position(scroller);
  const room = room_left(scroller, delta_x, delta_y);
  if (scroller) element_scroll_by(scroller, { left: delta_x, top: delta_y, behavior: 'instant' });
  else scrollBy({ left: delta_x, top: delta_y, behavior: 'instant' });
  const at_rest = await come_to_rest([scroller]);
  const after = scroll_position(scroller);
  if (!at_rest || (is_same_position(before, after) && room)) {
    const reason = at_rest ? 'the page prevented the scrolling' : 'the page keeps changing the scroll position';
    return refuse('scroll_failed', reason, { before, after, delta_x, delta_y });
  }
  return ok(scroll_result(scroller, before, after, !room_left(scroller, delta_x, delta_y)));
}

/**
 * Scrolls all containers around an element to bring it into view, and reports the innermost one that moved.
 *
 * @param {Element} element
 */
async function into_view_of(element) {
  const label = target_label(element);
  if (!check_visibility(element) && !is_rendered(element)) {
    const { reason, by } = hidden_reason(element);
    return refuse('scroll_failed', `\`${label}\` cannot be scrolled into view: it is not rendered`, { reason, by });
  }
  const scrollers = containers_of(element);
  const before = scrollers.map(scroll_position);
  scroll_to(element, /** @type {ScrollIntoViewOptions} */ (PLACEMENTS[0]));
  const at_rest = await come_to_rest(scrollers);
  const after = scrollers.map(scroll_position);
  if (!at_rest || !is_in_view(element)) {
    const reason = at_rest ? 'the page prevented the scrolling' : 'the page keeps changing the scroll position';
    const { bounding_box, visibility } = facts(element);
    return refuse('scroll_failed', `\`${label}\` was not scrolled into view: ${reason}`, {
      reason: at_rest ? 'out_of_view' : 'not_at_rest',
      bounding_box,
      visibility,
    });
  }
  const moved = scrollers.findIndex((_, index) => !is_same_position(position_at(before, index), position_at(after, index)));
  const shown = Math.max(0, moved);
  const scroller = scrollers[shown] ?? null;
  return ok(scroll_result(scroller, position_at(before, shown), position_at(after, shown), !room_left(scroller, 0, 0)));
}

/**
 * Returns whether any part of an element is in view. An element without an area still has a position.
 *
 * @param {Element} element
 */
function is_in_view(element) {
  if (!is_connected(element)) return false;
  const painted = boxes(element);
  if (painted.length > 0) return visible_parts(element, painted).parts.length > 0;
  const { left, top, right, bottom } = bounding_rect(element);
  const view = viewport();
  return right >= view.left && left <= view.right && bottom >= view.top && top <= view.bottom;
}

/**
 * Returns the container to scroll; null stands for the viewport.
 *
 * @param {ScrollArgs} args
 * @param {Call} call
 * @returns {{ok: Element | null} | Refusal}
 */
function find_scroller({ delta_x = 0, delta_y = 0, scope, item_selector, locator }, call) {
  const across = Math.abs(delta_x) > Math.abs(delta_y);
  if (locator) {
    const chosen = choose(locator, call);
    if ('error' in chosen) return chosen;
    const { element } = chosen.ok;
    const scroller = container_around(element, across);
    return scroller === undefined ? refuse_still(element, across) : { ok: scroller };
  }
  if (scope) {
    const part = resolve_scope(scope, item_selector, call);
    if ('error' in part) return part;
    const scroller = container_within(part.ok.element, across);
    return scroller === undefined ? refuse_still(part.ok.element, across) : { ok: scroller };
  }
  return { ok: null };
}

/**
 * @param {Element} element
 * @param {boolean} across
 */
function refuse_still(element, across) {
  const axis = across ? 'horizontally' : 'vertically';
  return refuse('target_not_scrollable', `\`${target_label(element)}\` has no container that scrolls ${axis}`, { axis });
}
