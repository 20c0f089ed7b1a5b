import { ok, refuse } from '../answer/answer.js';
import { PLACEMENTS, scroll_to } from '../action/scroll_to.js';
import { target_label } from '../facts/describe.js';
import { choose } from '../locator/choose.js';
import { scrolling_element } from '../native/document.js';
import {
  client_height,
  client_width,
  element_scroll_by,
  scroll_height,
  scroll_left,
  scroll_top,
  scroll_width,
} from '../native/element.js';
import { resolve_scope } from '../scope/resolve_scope.js';
import { next_frame } from '../wait/next_frame.js';
import { container_around, container_within } from './containers.js';

/** How many frames a position is watched before it counts as not at rest. */
const MAX_FRAMES = 12;

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
 * Scrolls the page, a container, or an element into view, at once whatever the style of the page says.
 *
 * @param {ScrollArgs} args
 * @param {Call} call
 */
export async function viewport_scroll(args, call) {
  const { delta_x = 0, delta_y = 0 } = args;
  const found = find_scroller(args, call);
  if ('error' in found) return found;
  const { scroller, element } = found.ok;
  const before = position(scroller);
  const room = room_left(scroller, delta_x, delta_y);
  if (element) scroll_to(element, /** @type {ScrollIntoViewOptions} */ (PLACEMENTS[0]));
  else if (scroller) element_scroll_by(scroller, { left: delta_x, top: delta_y, behavior: 'instant' });
  else scrollBy({ left: delta_x, top: delta_y, behavior: 'instant' });
  const after = await at_rest(scroller);
  const moved = after.scroll_x !== before.scroll_x || after.scroll_y !== before.scroll_y;
  if (!moved && !element && room) {
    return refuse('scroll_failed', 'the page did not let the position change', { before, after, delta_x, delta_y });
  }
  return ok({
    moved,
    target: scroller ? 'element' : 'viewport',
    before,
    after,
    delta_x: after.scroll_x - before.scroll_x,
    delta_y: after.scroll_y - before.scroll_y,
    at_end: !room_left(scroller, delta_x, delta_y),
  });
}

/**
 * Finds what scrolls; the viewport is null.
 *
 * @param {ScrollArgs} args
 * @param {Call} call
 * @returns {{ok: {scroller: Element | null, element: Element | null}} | Refusal}
 */
function find_scroller({ delta_x = 0, delta_y = 0, scope, item_selector, locator, into_view }, call) {
  const across = Math.abs(delta_x) > Math.abs(delta_y);
  if (locator) {
    const chosen = choose(locator, call);
    if ('error' in chosen) return chosen;
    const { element } = chosen.ok;
    const scroller = container_around(element, across);
    if (into_view) return { ok: { scroller: scroller ?? null, element } };
    return scroller === undefined ? refuse_still(element, across) : { ok: { scroller, element: null } };
  }
  if (scope) {
    const part = resolve_scope(scope, item_selector, call);
    if ('error' in part) return part;
    const scroller = container_within(part.ok.element, across);
    return scroller === undefined ? refuse_still(part.ok.element, across) : { ok: { scroller, element: null } };
  }
  return { ok: { scroller: null, element: null } };
}

/**
 * @param {Element} element
 * @param {boolean} across
 */
function refuse_still(element, across) {
  const axis = across ? 'horizontally' : 'vertically';
  return refuse('target_not_scrollable', `nothing at \`${target_label(element)}\` scrolls ${axis}`, { axis });
}

/** @param {Element | null} scroller */
function position(scroller) {
  return scroller
    ? { scroll_x: scroll_left(scroller), scroll_y: scroll_top(scroller) }
    : { scroll_x: scrollX, scroll_y: scrollY };
}

/**
 * Says whether there is anything further in a direction.
 *
 * @param {Element | null} scroller
 * @param {number} delta_x
 * @param {number} delta_y
 */
function room_left(scroller, delta_x, delta_y) {
  const box = scroller ?? scrolling_element(document);
  if (!box) return false;
  const { scroll_x, scroll_y } = position(scroller);
  const wide = scroll_width(box) - (scroller ? client_width(box) : innerWidth);
  const high = scroll_height(box) - (scroller ? client_height(box) : innerHeight);
  // Content that runs from right to left starts at 0 and has negative positions.
  const leftward = getComputedStyle(box).direction === 'rtl';
  return more(scroll_x, leftward ? -wide : 0, leftward ? 0 : wide, delta_x) || more(scroll_y, 0, high, delta_y);
}

/**
 * @param {number} at
 * @param {number} least
 * @param {number} most
 * @param {number} delta
 */
function more(at, least, most, delta) {
  // Positions are fractions of pixels, so an end may be missed by less than one.
  if (delta > 0) return at < most - 1;
  return delta < 0 && at > least + 1;
}

/**
 * Waits until the position no longer changes between two frames.
 *
 * @param {Element | null} scroller
 */
async function at_rest(scroller) {
  let last = position(scroller);
  for (let frame = 0; frame < MAX_FRAMES; frame += 1) {
    await next_frame();
    const now = position(scroller);
    if (now.scroll_x === last.scroll_x && now.scroll_y === last.scroll_y) return now;
    last = now;
  }
  return last;
}
