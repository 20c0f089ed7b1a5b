// Tracks when the page last moved anything, so that elements that have long been still need not be watched before a
// click.

import { document_animations, ready_state } from '../native/document.js';
import { local_name } from '../native/element.js';
import { listen, root_node } from '../native/node.js';
import { flat_parent } from '../tree/flat_parent.js';
import { now } from './now.js';

/** How long nothing may move for the page to count as at rest, in milliseconds: three frames. */
const REST = 50;

/** Attributes that scripts change to move elements. */
const MOVING = [
  'style',
  'class',
  'hidden',
  'open',
  'transform',
  'd',
  'points',
  'x',
  'y',
  'cx',
  'cy',
  'r',
  'width',
  'height',
];

/** When something last happened that may have moved elements. */
let last_motion_at = now();

/** Starts recording when the page last moved anything. */
export function start_rest_clock() {
  new MutationObserver(record_motion).observe(document, { subtree: true, attributes: true, attributeFilter: MOVING });
  listen_for_motion();
}

function record_motion() {
  last_motion_at = now();
}

function listen_for_motion() {
  for (const event of ['scroll', 'resize', 'load', 'toggle'])
    listen(window, event, record_motion, { capture: true, passive: true });
}

/**
 * Returns whether an element has not moved for some frames, as far as can be known: no style changed, nothing was
 * scrolled or loaded, and no running animation could move it. Changes inside shadow roots are not observed, so this
 * returns false for elements inside one.
 *
 * @param {Element} element
 * @returns {boolean}
 */
export function has_been_at_rest(element) {
  // `document.open()` removes listeners, so add them again; listeners that are still registered are not added twice.
  listen_for_motion();
  if (ready_state(document) !== 'complete' || now() - last_motion_at < REST) return false;
  for (let /** @type {Element | null} */ at = element; at; at = flat_parent(at)) {
    if (root_node(at) !== document || local_name(at) === 'marquee') return false;
  }
  return !document_animations(document).some((animation) => may_move(animation, element));
}

/**
 * Returns whether an animation may move an element. A finite animation may move anything; an infinite one is assumed to
 * move only its own target.
 *
 * @param {Animation} animation
 * @param {Element} element
 */
function may_move({ playState, effect }, element) {
  if (playState !== 'running' || !(effect instanceof KeyframeEffect)) return playState === 'running';
  if (effect.getComputedTiming().endTime !== Infinity) return true;
  for (let /** @type {Element | null} */ at = element; at; at = flat_parent(at)) if (at === effect.target) return true;
  return false;
}
