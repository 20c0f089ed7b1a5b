// Writes selectors that match one element and nothing else.

import { attribute, element_matches, local_name } from '../native/element.js';
import { composed_parent } from '../tree/composed_parent.js';

/** Attributes that authors keep when they restyle a page, best first. */
const LASTING = `data-actions-json-target data-testid data-test data-test-id data-qa data-cy id name for aria-label placeholder alt title href
  action type value`.split(/\s+/);

/** The longest value that is worth writing down. */
const MAX_VALUE = 100;

/**
 * Returns the selectors that match only this element, best first: by one attribute, by a class, by a parent with an
 * attribute.
 *
 * @param {Element} element
 * @param {(selector: string) => number} count how many elements of the page a selector matches
 * @returns {string[]}
 */
export function selectors(element, count) {
  const own = simple(element);
  const found = own.filter((selector) => count(selector) === 1);
  if (found.length > 0) return found.slice(0, 3);
  let depth = 0;
  for (let at = composed_parent(element); at && depth < 5; at = composed_parent(at), depth += 1) {
    for (const outer of simple(at).slice(0, 4)) {
      for (const inner of [...own, local_name(element)]) {
        const selector = `${outer} ${inner}`;
        if (count(selector) === 1) return [selector];
      }
    }
  }
  return [];
}

/**
 * Selectors of one element by its own attributes and classes.
 *
 * @param {Element} element
 */
function simple(element) {
  const tag = local_name(element);
  /** @type {string[]} */
  const found = [];
  for (const key of LASTING) {
    const value = attribute(element, key);
    if (!value || value.length > MAX_VALUE || (leads(key) ? looks_temporary(value) : looks_made(value))) continue;
    found.push(key === 'id' ? `#${CSS.escape(value)}` : `${tag}[${key}="${quoted(value)}"]`);
  }
  for (const name of (attribute(element, 'class') ?? '').split(/\s+/).filter(Boolean).slice(0, 6)) {
    if (!looks_made(name)) found.push(`${tag}.${CSS.escape(name)}`);
  }
  return found.filter((selector) => element_matches(element, selector));
}

/** @param {string} key whether its value is an address, in which numbers are usual */
function leads(key) {
  return key === 'href' || key === 'action';
}

/** @param {string} value whether an address looks as if the next visit had another one */
function looks_temporary(value) {
  return /[0-9]{7,}|[0-9a-f]{12,}|(token|session|nonce|sid)=/i.test(value);
}

/** @param {string} value */
function quoted(value) {
  return value.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\a ');
}

/**
 * Whether a value looks as if a program had made it, so that the next build makes another one: `css-1x2y3z`, `:r7:`.
 *
 * @param {string} value
 */
export function looks_made(value) {
  if (/^:|:$/.test(value)) return true;
  const mixed = value.split(/[-_]+/).filter((part) => /[0-9]/.test(part) && /[a-z]/i.test(part) && part.length >= 4);
  return mixed.length > 0 || /[0-9]{5,}/.test(value) || /(^|[-_])[0-9a-f]{6,}$/i.test(value);
}
