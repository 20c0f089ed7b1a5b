// Reads what an element says about its own state.

import { element_query_all } from '../native/document.js';
import { attribute } from '../native/element.js';
import { composed_closest } from '../tree/composed_closest.js';

/** The attributes that say whether something is open, chosen or on. */
const STATES = ['aria-expanded', 'aria-pressed', 'aria-checked', 'aria-selected'];
const STATEFUL = STATES.map((name) => `[${name}]`).join(', ');

/** How many parts of an element are read. */
const MAX_PARTS = 20;

/**
 * Returns what an element, its parts and the nearest element around it say about their state, for comparison. A select
 * box may be a frame around the part that says whether its list is open, or a text in it.
 *
 * @param {Element} element
 * @returns {string}
 */
export function stated(element) {
  const around = composed_closest(element, STATEFUL);
  const parts = Array.from(element_query_all(element, STATEFUL)).slice(0, MAX_PARTS);
  const bearers = [...(around ? [around] : []), ...parts];
  return bearers.map((bearer) => STATES.map((name) => attribute(bearer, name) ?? '').join(' ')).join('\n');
}
