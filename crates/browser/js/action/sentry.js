// Watches the events of a gesture, reports which element each one reached, and blocks gestures that would land on the
// wrong element.

import { role } from '../aria/role.js';
import { stated } from '../aria/stated.js';
import { describe } from '../facts/describe.js';
import { is_rendered } from '../facts/is_rendered.js';
import { summary } from '../facts/summary.js';
import { active_element } from '../focus/active_element.js';
import { editing_host, editing_kind } from '../form/editable.js';
import { hit } from '../geometry/hit.js';
import { receives } from '../geometry/receives.js';
import { document_points, shadow_points } from '../native/document.js';
import { bounding_rect, local_name, shadow_root } from '../native/element.js';
import { is_shadow_root } from '../native/kind.js';
import {
  is_connected,
  listen,
  node_contains,
  node_type,
  parent_node,
  root_node,
  unlisten,
} from '../native/node.js';
import { composed_contains } from '../tree/composed_contains.js';
import { flat_parent } from '../tree/flat_parent.js';
import { shadow_of } from '../tree/shadow_of.js';

/**
 * The event that ends a gesture. `release` is a drop or the release of the button, whichever comes first.
 *
 * @typedef {'mousemove' | 'pointerdown' | 'click' | 'auxclick' | 'contextmenu' | 'dblclick' | 'release' | 'keydown' | 'wheel'} Ending
 */

/**
 * @typedef {object} Confirmation
 * @property {boolean} received whether the last event of the gesture reached the target, or an earlier one did and the page
 *   acted on it
 * @property {'target' | 'descendant' | 'label' | 'beneath' | null} via how it got there; `beneath`: the dragged element
 *   or what the page put there during the drag was on top
 * @property {boolean} prevented whether the gesture began on another element and was blocked
 * @property {boolean} target_connected
 * @property {CutShort | null} cut_short why the target received the press, but not the last event
 * @property {import('../locator/identity_check.js').Mistaken | null} mistaken what the target had become when it was
 *   pressed; the press was blocked
 * @property {Record<string, 'received' | 'misdirected'>} events where each event went
 * @property {ReturnType<typeof summary> | null} target the element that received the last event
 * @property {ReturnType<typeof describe> | null} received_by the element that received the first misdirected event
 */

/**
 * Why a target that received the press did not receive the last event. `on` is the last event that it received.
 *
 * - `taken_away`: the page took it away in that event.
 * - `entered`: it is a field that has taken the focus, and something else received the release, such as a list of
 *   suggestions that the page shows over it.
 * - `changed_state`: it says that it has another state, such as a select box that has opened its list under the pointer.
 * - `lost_focus`: the page took it away because the focus moved.
 * - `replaced`: an equal element took its place.
 * - `left`: the page began to load another document in that event, which may come before the release.
 *
 * @typedef {{on: string, how: 'taken_away' | 'entered' | 'changed_state' | 'lost_focus' | 'replaced' | 'left'}} CutShort
 */

/**
 * What to compare during a gesture.
 *
 * @typedef {object} Checks
 * @property {((met: Element | null) => import('../locator/identity_check.js').Mistaken | null) | null} [identity] whether
 *   the target still is what its locator asks for, compared at the press, which `met` received
 * @property {() => boolean} [is_replaced] whether an equal element has taken the place of the target
 * @property {Point | null} [point] where the gesture is aimed
 */

/**
 * @typedef {object} Watch
 * @property {Element | 'anything' | 'nothing'} target the element that should receive the gesture
 * @property {Ending} ending the event that ends the gesture
 * @property {number} releases how many more times the button will be released
 * @property {boolean} guard whether to block a gesture that begins on another element
 * @property {string | null} key the key that ends the gesture
 * @property {Checks} checks
 * @property {(on: string) => void} pressed_on called when the target has received the press
 * @property {(confirmation: Confirmation) => void} settled
 * @property {Confirmation} seen
 * @property {boolean} started
 * @property {Element | null} pressed the element that left the page if it is gone after the press: the target, or what was
 *   pressed when anything may be
 * @property {Node | null} parent the parent of that element when it was pressed
 * @property {string} state what that element said about its state when it was pressed
 * @property {boolean} rendered whether that element was rendered; controls behind their label may not be
 * @property {Event | null} last the last event that the target received
 * @property {boolean} refocused whether the focus moved after that event, with the target still there
 * @property {boolean} left whether the page began to load another document in that event
 * @property {Set<Element>} around the elements at the point of a drag's far end before the drag
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

/** The events of a press. */
const PRESSES = new Set(['pointerdown', 'mousedown']);

/** The ways in which the page acted on a gesture that it cut short. */
const ACTED_ON = new Set(['taken_away', 'entered', 'changed_state', 'left']);

/** Events that a document receives before it is replaced. */
const LEAVING = ['beforeunload', 'pagehide'];

/** Endings that follow a press and a release by themselves. */
const CLICKS = new Set(['click', 'auxclick']);

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
  // A listener that could prevent the scrolling would make every wheel of the page wait for it.
  listen(window, 'wheel', on_event, { capture: true, passive: true });
  listen(window, 'blur', on_blur, { capture: true });
}

/**
 * Announces a gesture. The sentry reports what its events reach. With `guard`, it blocks all events of a gesture that
 * begins on another element, up to the release of the button.
 *
 * @param {Pick<Watch, 'target' | 'ending' | 'releases' | 'guard' | 'key' | 'checks' | 'pressed_on' | 'settled'>} gesture
 * @param {number} timeout_ms
 */
export function announce(gesture, timeout_ms) {
  /** @type {Watch} */
  const mine = {
    ...gesture,
    started: false,
    over: false,
    forwarded: false,
    pressed: null,
    parent: null,
    state: '',
    rendered: true,
    last: null,
    refocused: false,
    left: false,
    around: new Set(gesture.ending === 'release' ? stack_at(gesture) : []),
    seen: {
      received: false,
      via: null,
      prevented: false,
      target_connected: true,
      cut_short: null,
      mistaken: null,
      events: {},
      target: null,
      received_by: null,
    },
    timer: setTimeout(() => stop_watching(mine), timeout_ms),
  };
  watches.add(mine);
  // `document.open()` removes listeners, so add them again; listeners that are still registered are not added twice.
  install_sentry();
  // Only while a press is watched: a document with such a listener is asked by the browser before it is closed.
  if (CLICKS.has(mine.ending)) for (const type of LEAVING) listen(window, type, on_leave, { capture: true });
}

/** Stops watching all gestures and reports what was seen of each. */
export function dismiss() {
  for (const mine of watches) stop_watching(mine);
}

/** @param {Watch} mine */
function stop_watching(mine) {
  clearTimeout(mine.timer);
  watches.delete(mine);
  if (watches.size === 0) for (const type of LEAVING) unlisten(window, type, on_leave, { capture: true });
  settle(mine);
}

/** @param {Watch} mine */
function settle(mine) {
  if (mine.over) return;
  mine.over = true;
  mine.seen.target_connected = typeof mine.target === 'string' || is_connected(mine.target);
  if (!mine.seen.received) {
    mine.seen.cut_short = cut_short(mine);
    mine.seen.received = ACTED_ON.has(mine.seen.cut_short?.how ?? '');
  }
  mine.settled(mine.seen);
}

/**
 * Returns why a target received the press, but not the click; null when nothing explains it.
 *
 * @param {Watch} mine
 * @returns {CutShort | null}
 */
function cut_short(mine) {
  if (!mine.pressed || mine.seen.prevented || !CLICKS.has(mine.ending)) return null;
  const on = mine.last?.type ?? '';
  if (mine.left) return { on, how: 'left' };
  if (is_there(mine)) {
    if (PRESSES.has(on) && is_entered(mine.pressed)) return { on, how: 'entered' };
    return stated(mine.pressed) === mine.state ? null : { on, how: 'changed_state' };
  }
  if (mine.refocused) return { on, how: 'lost_focus' };
  return { on, how: mine.checks.is_replaced?.() || has_successor(mine) ? 'replaced' : 'taken_away' };
}

/**
 * Returns whether an element of the same kind and the same parent is now where the target was pressed.
 *
 * @param {Watch} mine
 */
function has_successor({ pressed, parent, checks: { point } }) {
  if (!pressed || !parent || !point) return false;
  for (let at = hit(point); at; at = flat_parent(at)) {
    if (parent_node(at) === parent) return local_name(at) === local_name(pressed) && role(at) === role(pressed);
  }
  return false;
}

/**
 * Returns whether an element is a field with the focus. A press is all that entering a field takes.
 *
 * @param {Element} element
 */
function is_entered(element) {
  return editing_kind(element) !== null && active_element() === editing_host(element);
}

/** @param {Watch} mine */
function is_there({ pressed, rendered }) {
  return pressed !== null && is_connected(pressed) && (!rendered || is_rendered(pressed));
}

/**
 * Notes that the press has moved the focus. A target that leaves the page then was closed because its field lost the
 * focus, not because the page acted on the press. The focus moves after the listeners of the press have run; what they
 * do to the focus themselves is part of the page's reaction.
 *
 * @param {Event} event
 */
function on_blur(event) {
  if (!event.isTrusted || event.target === window) return;
  for (const mine of watches) {
    const { last } = mine;
    if (last && PRESSES.has(last.type) && last.eventPhase === Event.NONE) mine.refocused ||= is_there(mine);
  }
}

/**
 * Reports a press at once when it makes the page load another document: the document that could confirm the click may be
 * gone when the release comes. A listener that asks for a navigation still runs while the page unloads.
 *
 * @param {Event} event
 */
function on_leave({ type, isTrusted }) {
  if (!isTrusted) return;
  for (const mine of watches) {
    const is_handling = mine.last !== null && mine.last.eventPhase !== Event.NONE;
    if (!mine.pressed || !CLICKS.has(mine.ending) || !(is_handling || type === 'pagehide')) continue;
    mine.left = true;
    settle(mine);
  }
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
  if (ending === 'wheel' || type === 'wheel') return type === ending;
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
  if (via !== null) receive(mine, event, met);
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
 * Remembers an event that the target received. At the press, the target must still be what its locator asks for;
 * otherwise the gesture is blocked.
 *
 * @param {Watch} mine
 * @param {Event} event
 * @param {Element | null} met
 */
function receive(mine, event, met) {
  mine.last = event;
  mine.refocused = false;
  if (event.type !== 'pointerdown' || mine.pressed || !mine.guard) return;
  mine.pressed = mine.target instanceof Element ? mine.target : met;
  mine.parent = mine.pressed && parent_node(mine.pressed);
  mine.rendered = mine.pressed !== null && is_rendered(mine.pressed);
  mine.state = mine.pressed ? stated(mine.pressed) : '';
  mine.seen.mistaken = mine.checks.identity?.(met) ?? null;
  if (mine.seen.mistaken) mine.seen.prevented = true;
  else mine.pressed_on(event.type);
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
function event_reaches(target, mine, event, met) {
  const { ending, forwarded } = mine;
  if (met === target) return 'target';
  if (event.composedPath().includes(target)) return 'descendant';
  if (!(event instanceof MouseEvent)) return null;
  const point = { x: event.clientX, y: event.clientY };
  // The path ends at the host of a closed root; a hit test at the pointer position finds the element inside.
  const closed = shadow_of(met) !== shadow_root(met);
  const via = receives(target, closed ? hit(point) : met, ending === 'click');
  // A click forwarded by a label carries the position of the label; it is the second click of the same task.
  if (via === 'label' && closed && forwarded) return 'target';
  if (via || ending !== 'release') return via;
  return lies_beneath(target, mine.around, point, met) ? 'beneath' : null;
}

/**
 * Returns whether a target lies beneath nothing but the dragged element and what the page has put there during the drag,
 * such as a layer that holds the cursor. The release then goes to those, or to the element that has captured the
 * pointer.
 *
 * A list that sorts itself moves the dragged element to the pointer and the target aside: the dragged element next to
 * the target counts as the target, also when it lets pointer events through to the list.
 *
 * @param {Element} target
 * @param {Set<Element>} around the elements that were there before the drag
 * @param {Point} point
 * @param {Element} met the target of the release event
 */
function lies_beneath(target, around, point, met) {
  const top = hit(point);
  if (makes_room(target, around, point, met)) return true;
  if (top === met && around.has(met) && !is_dragged(met, target)) return false;
  const stack = points_in(root_node(target), point);
  const under = stack.find((element) => around.has(element) && !is_dragged(element, target));
  if (under !== undefined && receives(target, under, false) !== null) return true;
  return top !== null && dragged !== null && !around.has(dragged) && is_dragged(top, target) && are_siblings(dragged, target);
}

/**
 * Returns whether a list has received the release because the page has moved the dragged element there and the target
 * aside.
 *
 * @param {Element} target
 * @param {Set<Element>} around
 * @param {Point} point
 * @param {Element} met the target of the release event
 */
function makes_room(target, around, point, met) {
  if (!dragged || around.has(dragged) || !are_siblings(dragged, target)) return false;
  if (!composed_contains(met, dragged) || !composed_contains(met, target)) return false;
  return lies_at(dragged, point) && !lies_at(target, point);
}

/**
 * @param {Element} element
 * @param {Point} point
 */
function lies_at(element, { x, y }) {
  const { left, top, right, bottom } = bounding_rect(element);
  return left <= x && x <= right && top <= y && y <= bottom;
}

/**
 * @param {Element} one
 * @param {Element} other
 */
function are_siblings(one, other) {
  return parent_node(one) === parent_node(other);
}

/**
 * Returns the elements at the point that a gesture is aimed at, topmost first.
 *
 * @param {Pick<Watch, 'target' | 'checks'>} gesture
 */
function stack_at({ target, checks: { point } }) {
  return target instanceof Element && point ? points_in(root_node(target), point) : [];
}

/**
 * @param {Node} root
 * @param {Point} point
 */
function points_in(root, { x, y }) {
  return is_shadow_root(root) ? shadow_points(root, x, y) : document_points(document, x, y);
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
