// `pointer.wheel`: reports what a turn of the wheel scrolled.

import { ok, refuse } from '../answer/answer.js';
import { listen, unlisten } from '../native/node.js';
import { next_frame } from '../wait/next_frame.js';
import { containers_of } from './containers.js';
import { come_to_rest, is_same_position, position_at, scroll_position, scroll_result, room_left } from './scroll_position.js';

/** For how many frames nothing may move before the scrolling is over. A smooth scrolling begins slowly. */
const STILL = 6;

/**
 * @typedef {object} Turn a turn of the wheel that is about to come, or has come
 * @property {(Element | null)[]} scrollers the containers it may scroll, innermost first
 * @property {import('./scroll_position.js').Position[]} before where they were
 * @property {Event | null} event
 */

/** The most recent turn. @type {Turn | null} */
let turn = null;

/**
 * Remembers where the containers around an element are scrolled to, before the wheel turns over it. Makes the browser
 * ask the page before it scrolls: otherwise it may scroll first, and the event then goes to what has moved under the
 * pointer.
 *
 * @param {Element | null} element
 */
export async function expect_wheel(element) {
  const scrollers = element ? [element, ...containers_of(element)] : [null];
  turn = { scrollers, before: scrollers.map(scroll_position), event: null };
  unlisten(window, 'wheel', note_wheel, { capture: true });
  listen(window, 'wheel', note_wheel, { capture: true, passive: false });
  // The browser learns of the listener with the next frame.
  await next_frame();
  await next_frame();
}

/** @param {Event} event */
function note_wheel(event) {
  if (turn && event.isTrusted) turn.event = event;
}

/**
 * Waits until what the wheel scrolls stands still, and reports the innermost container that has moved. `handled` says
 * that a listener of the page prevented the scrolling, as one that moves things by itself does.
 *
 * @param {{delta_x: number, delta_y: number}} args
 */
export async function pointer_wheel({ delta_x, delta_y }) {
  if (!turn) return refuse('target_detached', 'the page loaded another document when the wheel turned');
  const { scrollers, before, event } = turn;
  await come_to_rest(scrollers, STILL);
  unlisten(window, 'wheel', note_wheel, { capture: true });
  turn = null;
  const handled = event?.defaultPrevented === true;
  const after = scrollers.map(scroll_position);
  const moved = scrollers.findIndex((_, index) => !is_same_position(position_at(before, index), position_at(after, index)));
  if (moved < 0) return ok({ handled, scroll: null });
  const scroller = scrollers[moved] ?? null;
  const at_end = !room_left(scroller, delta_x, delta_y);
  return ok({ handled, scroll: scroll_result(scroller, position_at(before, moved), position_at(after, moved), at_end) });
}
