// `drift.sightings`: what each of several locators matches, all at one moment of the document.

import { ok } from '../answer/answer.js';
import { facts } from '../facts/facts.js';
import { is_rendered } from '../facts/is_rendered.js';
import { attribute } from '../native/element.js';
import { resolve } from '../locator/resolution.js';
import { refuse_to_call_absent } from '../locator/unreachable.js';
import { cut_text } from '../reading/cut_text.js';
import { fingerprint } from './fingerprint.js';

/** How many matches of one locator are examined for being rendered. */
const MAX_EXAMINED = 1_000;

/**
 * Returns for each question how many elements its locator matches, and a description of the first. A locator that cannot
 * be resolved has a refusal of its own.
 *
 * @param {{asked: {locator: Locator, attribute?: string}[]}} args
 * @param {Call} call
 */
export function drift_sightings({ asked }, call) {
  return ok({ sightings: asked.map((question) => sighting(question, call)) });
}

/**
 * @param {{locator: Locator, attribute?: string}} question
 * @param {Call} call
 * @returns {Answer}
 */
function sighting({ locator, attribute: key }, call) {
  const resolved = resolve(locator, call);
  if ('error' in resolved) return resolved;
  const { elements, matched_by, matched_selector, identity, complete } = resolved.ok;
  // Whether a closed shadow root may hide the element is decided once, by the driver.
  const certain = { ...call, unsearched: false };
  const doubt = elements.length === 0 ? refuse_to_call_absent(certain, complete, { locator }) : null;
  if (doubt) return doubt;
  const shown = elements.slice(0, MAX_EXAMINED).filter(is_rendered);
  const [first] = elements;
  // The engine acts on the first match that is rendered.
  const meant = shown[0] ?? first;
  const second = (shown.length > 0 ? shown : elements)[1];
  return ok({
    attached: elements.length,
    rendered: shown.length,
    matched_by,
    matched_selector,
    identity,
    first: meant ? fingerprint(meant) : null,
    second: second ? fingerprint(second) : null,
    covered_by: meant ? cover(meant) : null,
    attribute: meant && key !== undefined ? attribute_of(meant, key) : null,
  });
}

/**
 * What covers an element, if anything does.
 *
 * @param {Element} element
 */
function cover(element) {
  const { occluded_by } = facts(element).visibility;
  return occluded_by ? occluded_by.target_label : null;
}

/**
 * @param {Element} element
 * @param {string} key
 */
function attribute_of(element, key) {
  const value = attribute(element, key);
  return value === null ? null : cut_text(value, 1_000);
}
