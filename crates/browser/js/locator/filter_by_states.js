// Filters elements by their ARIA states.

import { role } from '../aria/role.js';
import { disabled_reason } from '../facts/disabled_reason.js';
import { checked_state } from '../form/checked_state.js';
import { attribute, local_name } from '../native/element.js';
import { html_name } from '../native/kind.js';
import { parent_node } from '../native/node.js';

/** Roles with a selected state; without `aria-selected` they are not selected. */
const SELECTABLE = new Set(['columnheader', 'gridcell', 'option', 'row', 'rowheader', 'tab', 'treeitem']);

/**
 * How to read each state; null when an element does not have it.
 *
 * @type {{[state in keyof States]-?: (element: Element) => States[state] | null}}
 */
const STATES_OF = {
  checked: (element) => checked_state(element) ?? flag(element, 'aria-checked'),
  disabled: (element) => disabled_reason(element) !== null,
  expanded,
  level,
  pressed: (element) => flag(element, 'aria-pressed'),
  selected,
};

/** The names of the states. */
export const STATE_NAMES = Object.keys(STATES_OF);

/**
 * Keeps the elements that have all wanted states. An element without a state, such as a button that expands nothing,
 * matches neither true nor false.
 *
 * @param {Element[]} elements
 * @param {States | undefined} states
 * @returns {Element[]}
 */
export function filter_by_states(elements, states) {
  if (!states) return elements;
  const wanted = /** @type {[keyof States, unknown][]} */ (Object.entries(states));
  return elements.filter((element) => wanted.every(([state, value]) => STATES_OF[state](element) === value));
}

/**
 * @param {Element} element
 * @param {string} name
 */
function flag(element, name) {
  const text = attribute(element, name);
  return text === 'true' ? true : text === 'false' ? false : null;
}

/** @param {Element} element */
function expanded(element) {
  if (element instanceof HTMLDetailsElement) return element.open;
  const parent = parent_node(element);
  if (html_name(element) === 'summary' && parent instanceof HTMLDetailsElement) return parent.open;
  return flag(element, 'aria-expanded');
}

/** @param {Element} element */
function selected(element) {
  if (element instanceof HTMLOptionElement) return element.selected;
  return flag(element, 'aria-selected') ?? (SELECTABLE.has(role(element)) ? false : null);
}

/** @param {Element} element */
function level(element) {
  const stated = Number(attribute(element, 'aria-level'));
  if (Number.isInteger(stated) && stated > 0) return stated;
  const heading = /^h([1-6])$/.exec(local_name(element));
  if (heading) return Number(heading[1]);
  return role(element) === 'heading' ? 2 : null;
}
