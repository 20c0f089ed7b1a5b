import { describe } from '../facts/describe.js';
import { summary } from '../facts/summary.js';
import { hit } from '../geometry/hit.js';
import { receives } from '../geometry/receives.js';
import { document_points } from '../native/document.js';
import { shadow_root } from '../native/element.js';
import { is_connected, listen, node_type } from '../native/node.js';
import { shadow_of } from '../tree/shadow_of.js';

/**
 * @typedef {'mousemove' | 'mousedown' | 'mouseup' | 'click' | 'auxclick' | 'contextmenu' | 'dblclick' | 'drop'} Ending
 */

/**
 * @typedef {object} Confirmation
 * @property {boolean} received whether the last event of the gesture reached the target
 * @property {'target' | 'descendant' | 'label' | 'beneath' | null} via `beneath`: what was dragged lay on top
 * @property {boolean} prevented whether the gesture met something else and was kept from it
 * @property {boolean} target_connected
 * @property {Record<string, 'received' | 'misdirected'>} events what became of each event
 * @property {ReturnType<typeof summary> | null} target what received the last event
 * @property {ReturnType<typeof describe> | null} received_by what the first misdirected event met
 */

/**
 * @typedef {object} Watch
 * @property {Element | null} target null when anything may receive the gesture
 * @property {Ending} ending the event that ends the gesture
 * @property {number} releases how many times the button will be released before it
 * @property {boolean} guard
 * @property {Confirmation} seen
 * @property {boolean} started
 * @property {(confirmation: Confirmation) => void} settle
 */

/** Every event a gesture of a mouse is made of. */
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
];

/** The one gesture that is being watched; input comes one gesture at a time. @type {Watch | null} */
let watch = null;

/**
 * Stands guard on the window before the page's own scripts run, so that no listener of the page hears an event before
 * the guard does. Idle until a gesture is announced.
 */
export function post_sentry() {
  for (const type of GESTURE) listen(window, type, on_event, { capture: true });
}

/**
 * Announces a gesture: the sentry reports what its events reach and, as a guard, keeps a gesture that begins on
 * something else from it altogether.
 *
 * @param {Pick<Watch, 'target' | 'ending' | 'releases' | 'guard'>} gesture
 * @param {number} timeout_ms
 * @returns {Promise<Confirmation>}
 */
export function announce(gesture, timeout_ms) {
  watch?.settle(watch.seen);
  return new Promise((done) => {
    /** @type {Watch} */
    const mine = {
      ...gesture,
      started: false,
      seen: {
        received: false,
        via: null,
        prevented: false,
        target_connected: true,
        events: {},
        target: null,
        received_by: null,
      },
      settle,
    };
    const timer = setTimeout(() => settle(mine.seen), timeout_ms);
    watch = mine;

    /** @param {Confirmation} confirmation */
    function settle(confirmation) {
      clearTimeout(timer);
      if (watch === mine) watch = null;
      confirmation.target_connected = mine.target === null || is_connected(mine.target);
      done(confirmation);
    }
  });
}

/** @param {Event} event */
function on_event(event) {
  const mine = watch;
  if (!mine || !event.isTrusted) return;
  if (event.type === 'mousemove' && mine.ending !== 'mousemove') return;
  const met = first_element(event);
  const via = mine.target === null ? (met ? 'target' : null) : event_reaches(mine.target, event, met);
  note(mine, event.type, via, met);
  if (mine.guard && !mine.started && via === null) mine.seen.prevented = true;
  mine.started = true;
  if (mine.seen.prevented) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
  if (event.type === mine.ending) return end(mine, via, met);
  if (event.type !== 'pointerup') return;
  mine.releases -= 1;
  // The browser sends a click in the same task as the release that causes it, or not at all.
  if (mine.releases === 0) setTimeout(() => watch === mine && mine.settle(mine.seen), 0);
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
  mine.seen.target = met ? summary(met) : null;
  mine.settle(mine.seen);
}

/**
 * Says how an event reaches an element by the path it will take.
 *
 * @param {Element} target
 * @param {Event} event
 * @param {Element | null} met
 * @returns {Confirmation['via']}
 */
function event_reaches(target, event, met) {
  if (met === target) return 'target';
  if (event.composedPath().includes(target)) return 'descendant';
  if (!(event instanceof MouseEvent)) return null;
  const point = { x: event.clientX, y: event.clientY };
  // The path stops at the host of a closed root; where the pointer is tells what lies inside.
  const closed = met !== null && shadow_of(met) !== shadow_root(met);
  const via = receives(target, closed ? hit(point) : met);
  if (via || event.type !== 'mouseup') return via;
  // What is dragged is released on top of the place it is dragged to.
  return document_points(document, point.x, point.y).some((under) => receives(target, under)) ? 'beneath' : null;
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
