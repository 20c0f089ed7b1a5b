// Finds out whether the page has replaced an element by an equal one.

import { is_rendered } from '../facts/is_rendered.js';
import { summary } from '../facts/summary.js';
import { choose } from '../locator/choose.js';
import { stand_in } from './stand_in.js';

/** @typedef {ReturnType<typeof summary>} Summary */

/**
 * Returns a check of whether another element has taken the place of a target that left the page: the locator chooses it
 * now, and it is of the same kind and has the same name.
 *
 * @param {Element} element
 * @param {Summary} was what the element was
 * @param {Locator} locator
 * @param {Call} call
 * @returns {() => boolean}
 */
export function replacement_check(element, was, locator, call) {
  return () => {
    const chosen = choose(locator, call, { explain: false });
    if ('error' in chosen) return false;
    const other = stand_in(chosen.ok.element) ?? chosen.ok.element;
    return other !== element && is_equal(other, was);
  };
}

/**
 * Returns whether an element is rendered and has the same kind, role and name as another one had.
 *
 * @param {Element} element
 * @param {Summary} was
 */
export function is_equal(element, was) {
  if (!is_rendered(element)) return false;
  const { tag_name, role, name } = summary(element);
  return tag_name === was.tag_name && role === was.role && name === was.name;
}
