import { document_animations, ready_state } from '../native/document.js';
import { local_name } from '../native/element.js';
import { listen, root_node } from '../native/node.js';
import { flat_parent } from '../tree/flat_parent.js';
import { now } from './now.js';

/** How long nothing may have moved for the page to count as at rest: three frames. */
const REST = 50;

/** Attributes that scripts move things by. */
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

/** When something was last seen that may have moved elements. */
let restless_at = now();

/**
 * Begins to note when the page last moved anything, so that what has stood still need not be watched standing still.
 */
export function start_rest_clock() {
  const stir = () => {
    restless_at = now();
  };
  new MutationObserver(stir).observe(document, { subtree: true, attributes: true, attributeFilter: MOVING });
  for (const event of ['scroll', 'resize', 'load', 'toggle'])
    listen(window, event, stir, { capture: true, passive: true });
}

/**
 * Says whether an element has been standing still for some frames already, by everything that is known: nothing was
 * restyled, scrolled or loaded, and no animation runs that could move it. What goes on in shadow roots is not known, so
 * an element inside one is watched instead.
 *
 * @param {Element} element
 * @returns {boolean}
 */
export function has_been_at_rest(element) {
  if (ready_state(document) !== 'complete' || now() - restless_at < REST) return false;
  for (let /** @type {Element | null} */ at = element; at; at = flat_parent(at)) {
    if (root_node(at) !== document || local_name(at) === 'marquee') return false;
  }
  return !document_animations(document).some((animation) => may_move(animation, element));
}

/**
 * Says whether an animation may move an element: one that ends may push things about, one that does not is taken to
 * stay where it is.
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
