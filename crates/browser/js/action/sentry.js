// Watches the events of a gesture, reports which element each one reached, and blocks gestures that would land on the
// wrong element.

import { describe } from '../facts/describe.js';
import { summary } from '../facts/summary.js';
import { hit } from '../geometry/hit.js';
import { receives } from '../geometry/receives.js';
import { document_points, shadow_points } from '../native/document.js';
import { shadow_root } from '../native/element.js';
import { is_shadow_root } from '../native/kind.js';
import { is_connected, listen, node_contains, node_type, root_node } from '../native/node.js';
import { composed_contains } from '../tree/composed_contains.js';
import { shadow_of } from '../tree/shadow_of.js';

/**
 * The event that ends a gesture. `release` is a drop or the release of the button, whichever comes first.
 *
 * @typedef {'mousemove' | 'pointerdown' | 'click' | 'auxclick' | 'contextmenu' | 'dblclick' | 'release' | 'keydown'} Ending
 */

/**
 * @typedef {object} Confirmation
 * @property {boolean} received whether the last event of the gesture reached the target
 * @property {'target' | 'descendant' | 'label' | 'beneath' | null} via how it got there; `beneath`: the dragged element
 *   was on top
 * @property {boolean} prevented whether the gesture began on another element and was blocked
 * @property {boolean} target_connected
 * @property {Record<string, 'received' | 'misdirected'>} events where each event went
 * @property {ReturnType<typeof summary> | null} target the element that received the last event
 * @property {ReturnType<typeof describe> | null} received_by the element that received the first misdirected event
 */

/**
 * @typedef {object} Watch
 * @property {Element | 'anything' | 'nothing'} target the element that should receive the gesture
 * @property {Ending} ending the event that ends the gesture
 * @property {number} releases how many more times the button will be released
 * @property {boolean} guard whether to block a gesture that begins on another element
 * @property {string | null} key the key that ends the gesture
 * @property {(confirmation: Confirmation) => void} settled
 * @property {Confirmation} seen
 * @property {boolean} started
 * @property {boolean} over whether the outcome has been reported
 * @property {boolean} forwarded whether the label of the target received a click, which the browser forwards to the
 *   target
 * @property {number} timer
 */

/** The events that gestures consist of. */
const GESTURE = [
  'pointerdown',
  'mousedown',
  'pointerup',
  'mouseup',
  'click',
  'auxclick',
  'contextmenu',
  'dblclick',
  'mousemove',
  'dragstart',
  'drop',
  'dragend',
  'keydown',
];

/** The gestures being watched: one, or the two ends of a drag. @type {Set<Watch>} */
const watches = new Set();

/** The element on which the button was pressed, if that press was watched. @type {Element | null} */
let dragged = null;

/**
 * Adds listeners to the window before the page's own scripts run, so that they receive every event before any listener
 * of the page. They do nothing until a gesture is announced.
 */
export function install_sentry() {
  for (const type of GESTURE) listen(window, type, on_event, { capture: true });
}

/**
 * Announces a gesture. The sentry reports what its events reach. With `guard`, it blocks all events of a gesture that
 * begins on another element, up to the release of the button.
 *
 * @param {Pick<Watch, 'target' | 'ending' | 'releases' | 'guard' | 'key' | 'settled'>} gesture
 * @param {number} timeout_ms
 */
export function announce(gesture, timeout_ms) {
  /** @type {Watch} */
  const mine = {
    ...gesture,
    started: false,
    over: false,
    forwarded: false,
    seen: {
      received: false,
      via: null,
      prevented: false,
      target_connected: true,
      events: {},
      target: null,
      received_by: null,
    },
    timer: setTimeout(() => stop_watching(mine), timeout_ms),
  };
  watches.add(mine);
  // `document.open()` removes listeners, so add them again; listeners that are still registered are not added twice.
  install_sentry();
}

/** Stops watching all gestures and reports what was seen of each. */
export function dismiss() {
  for (const mine of watches) stop_watching(mine);
}

/** @param {Watch} mine */
function stop_watching(mine) {
  clearTimeout(mine.timer);
  watches.delete(mine);
  settle(mine);
}

/** @param {Watch} mine */
function settle(mine) {
  if (mine.over) return;
  mine.over = true;
  mine.seen.target_connected = typeof mine.target === 'string' || is_connected(mine.target);
  mine.settled(mine.seen);
}

/** @param {Event} event */
function on_event(event) {
  if (watches.size === 0 || !event.isTrusted) return;
  for (const mine of watches) if (concerns(mine, event)) handle_event(mine, event);
}

/**
 * @param {Watch} mine
 * @param {Event} event
 */
function concerns({ ending, key }, event) {
  const { type } = event;
  if (type === 'keydown') return ending === 'keydown' && event instanceof KeyboardEvent && event.key === key;
  if (ending === 'release') return type === 'pointerup' || type === 'drop';
  return ending !== 'keydown' && (type !== 'mousemove' || ending === 'mousemove');
}

/**
 * @param {Watch} mine
 * @param {Event} event
 */
function handle_event(mine, event) {
  const met = first_element(event);
  const via = reached(mine, event, met);
  const awaits_forwarding = via === 'label' && event.type === mine.ending;
  note(mine, event.type, awaits_forwarding ? null : via, met);
  if (mine.guard && !mine.started && via === null) mine.seen.prevented = true;
  mine.started = true;
  if (event.type === 'pointerdown' && via !== null) dragged = mine.target instanceof Element ? mine.target : met;
  if (mine.seen.prevented) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
  if (awaits_forwarding) mine.forwarded = true;
  else if (event.type === mine.ending || mine.ending === 'release') return end(mine, via, met);
  if (event.type !== 'pointerup') return;
  mine.releases -= 1;
  // The browser dispatches a click in the same task as the release that causes it, or not at all.
  if (mine.releases <= 0) setTimeout(() => stop_watching(mine), 0);
}

/**
 * @param {Watch} mine
 * @param {string} type
 * @param {Confirmation['via']} via
 * @param {Element | null} met
 */
function note({ seen }, type, via, met) {
  seen.events[type] = via === null ? 'misdirected' : 'received';
  if (via === null && met) seen.received_by ??= describe(met);
}

/**
 * @param {Watch} mine
 * @param {Confirmation['via']} via
 * @param {Element | null} met
 */
function end(mine, via, met) {
  mine.seen.received = via !== null && !mine.seen.prevented;
  mine.seen.via = via;
  if (mine.seen.received) mine.seen.received_by = null;
  mine.seen.target = met ? summary(met) : null;
  // Keep blocking a misdirected gesture until the button is released.
  if (mine.seen.prevented && mine.ending !== 'mousemove') settle(mine);
  else stop_watching(mine);
}

/**
 * @param {Watch} mine
 * @param {Event} event
 * @param {Element | null} met
 * @returns {Confirmation['via']}
 */
function reached(mine, event, met) {
  const { target } = mine;
  if (target === 'nothing' || met === null) return null;
  return target === 'anything' ? 'target' : event_reaches(target, mine, event, met);
}

/**
 * Returns how an event reaches an element, according to the event's path.
 *
 * @param {Element} target
 * @param {Watch} mine
 * @param {Event} event
 * @param {Element} met
 * @returns {Confirmation['via']}
 */
function event_reaches(target, { ending, forwarded }, event, met) {
  if (met === target) return 'target';
  if (event.composedPath().includes(target)) return 'descendant';
  if (!(event instanceof MouseEvent)) return null;
  const point = { x: event.clientX, y: event.clientY };
  // The path ends at the host of a closed root; a hit test at the pointer position finds the element inside.
  const closed = shadow_of(met) !== shadow_root(met);
  const via = receives(target, closed ? hit(point) : met, ending === 'click');
  // A click forwarded by a label carries the position of the label; it is the second click of the same task.
  if (via === 'label' && closed && forwarded) return 'target';
  if (via || event.type !== 'pointerup' || ending !== 'release') return via;
  return lies_beneath(target, point, met) ? 'beneath' : null;
}

/**
 * Returns whether only the dragged element is on top of a target, because it was released there or has captured the
 * pointer.
 *
 * @param {Element} target
 * @param {Point} point
 * @param {Element} met the target of the release event
 */
function lies_beneath(target, point, met) {
  const captured = hit(point) !== met;
  if (!captured && !is_dragged(met, target)) return false;
  const root = root_node(target);
  const stack = is_shadow_root(root)
    ? shadow_points(root, point.x, point.y)
    : document_points(document, point.x, point.y);
  const under = stack.find((element) => !is_dragged(element, target));
  return under !== undefined && receives(target, under, false) !== null;
}

/**
 * Returns whether an element is part of the dragged element, or shows it in its shadow root.
 *
 * @param {Element} element
 * @param {Element} target
 */
function is_dragged(element, target) {
  if (!dragged) return false;
  if (composed_contains(dragged, element)) return true;
  return !composed_contains(element, target) && composed_contains(element, dragged) && !node_contains(element, dragged);
}

/**
 * @param {Event} event
 * @returns {Element | null}
 */
function first_element(event) {
  for (const node of event.composedPath()) {
    if (node instanceof Node && node_type(node) === Node.ELEMENT_NODE) return /** @type {Element} */ (node);
  }
  return null;
}
