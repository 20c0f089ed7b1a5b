// Compares the role, the name and the text that a locator asks for again with the element that it chose.

import { is_hidden } from '../aria/is_hidden.js';
import { accessible_name } from '../aria/name.js';
import { canonical_role, role } from '../aria/role.js';
import { element_query_all } from '../native/document.js';
import { cut_text } from '../reading/cut_text.js';
import { text_matcher } from '../reading/text_matcher.js';
import { text_test } from '../reading/text_test.js';
import { visible_text } from '../reading/visible_text.js';
import { composed_contains } from '../tree/composed_contains.js';
import { filter_by_name } from './filter_by_name.js';
import { resolve } from './resolution.js';
import { retarget } from './retarget.js';
import { search_space } from './search_space.js';

/** The controls that a page may show beside a text once the pointer is over it. */
const CONTROLS = 'a[href], button, input, select, summary, textarea, [role=button], [role=checkbox], [role=link], [role=menuitem], [role=switch]';

/** How many controls within an element are compared. */
const MAX_CONTROLS = 100;

/**
 * @typedef {object} Mistaken an element that no longer is what its locator asks for
 * @property {{role?: string, name?: string, text?: string}} wanted what the locator asks for
 * @property {{role: string, name: string, text: string}} seen what the element is now
 */

/**
 * Returns a check of whether an element still has the role, the name and the text that its locator asks for; null when
 * the locator asks for none of them. Role and name that did not agree in the first place are not compared.
 *
 * A page may show controls within the element when the pointer comes, such as the menu of a column: they become part of
 * its name and its text. Without them it is the same element, unless the press has met one of them.
 *
 * @param {import('./choose.js').Choice} choice
 * @param {Locator} locator
 * @param {Call} call
 * @returns {((met: Element | null) => Mistaken | null) | null}
 */
export function identity_check({ element, found }, locator, call) {
  const confirmed = found.identity === 'confirmed';
  const wanted = {
    ...(confirmed && locator.role !== undefined ? { role: locator.role } : {}),
    ...(confirmed ? first_of('name', [locator.name, locator.name_contains, locator.name_matches]) : {}),
    ...first_of('text', [locator.text_equals, locator.text_contains, locator.text, locator.text_matches]),
  };
  if (Object.keys(wanted).length === 0) return null;
  const bearers = locator.retarget ? bearers_of(element, locator, call) : [element];
  const shown = new Set(bearers.flatMap(controls_in));
  return (met) => {
    if (bearers.some((bearer) => fits(bearer, met))) return null;
    const [bearer = element] = bearers;
    return {
      wanted,
      seen: {
        role: cut_text(role(bearer), 240),
        name: cut_text(accessible_name(bearer), 240),
        text: visible_text(bearer, { max_chars: 240, max_nodes: 2_000 }).text,
      },
    };
  };

  /**
   * @param {Element} bearer
   * @param {Element | null} met
   */
  function fits(bearer, met) {
    if (wanted.role !== undefined && role(bearer) !== canonical_role(wanted.role.trim().toLowerCase())) return false;
    const space = search_space(bearer);
    const text = text_test(locator, space);
    const has_name = wanted.name === undefined || filter_by_name([bearer], locator, space).length > 0;
    const has_text = !text || text.test(bearer) || text.test_name(bearer);
    if (has_name && has_text) return true;
    const revealed = controls_in(bearer).filter((control) => !shown.has(control));
    if (revealed.length === 0 || revealed.some((control) => composed_contains(control, met))) return false;
    const name = without(accessible_name(bearer), revealed.map((control) => accessible_name(control)));
    const texts = without(text_of(bearer), revealed.map(text_of));
    return (has_name || name_matcher(locator)?.fits(name) === true) && (has_text || fits_text(locator, [name, texts]));
  }
}

/**
 * Returns the controls within an element that a person can see.
 *
 * @param {Element} element
 */
function controls_in(element) {
  const controls = Array.from(element_query_all(element, CONTROLS)).slice(0, MAX_CONTROLS);
  return controls.filter((control) => !is_hidden(control));
}

/** @param {Element} element */
function text_of(element) {
  return visible_text(element, { max_chars: 10_000, max_nodes: 2_000 }).text;
}

/**
 * Returns a text without its parts; each is taken away where it occurs last.
 *
 * @param {string} text
 * @param {string[]} parts in the order in which they occur
 */
function without(text, parts) {
  return parts.reduceRight((rest, part) => {
    const at = rest.lastIndexOf(part);
    return at < 0 ? rest : rest.slice(0, at) + rest.slice(at + part.length);
  }, text);
}

/** @param {Locator} locator */
function name_matcher({ name, name_contains, name_matches, ignore_case }) {
  return text_matcher({ whole: name, parts: [name_contains], pattern: name_matches, ignore_case });
}

/**
 * @param {Locator} locator
 * @param {string[]} texts
 */
function fits_text({ text, text_equals, text_contains, text_matches, ignore_case }, texts) {
  const matcher = text_matcher({ whole: text_equals, parts: [text, text_contains], pattern: text_matches, ignore_case });
  return texts.some((each) => matcher?.fits(each));
}

/**
 * Returns the elements that carry role, name and text, from which `retarget` leads to the chosen element.
 *
 * @param {Element} element
 * @param {Locator} locator
 * @param {Call} call
 */
function bearers_of(element, locator, call) {
  const { retarget: _, nth: __, ...plain } = locator;
  const resolved = resolve(plain, call);
  if ('error' in resolved) return [];
  return resolved.ok.elements.filter((bearer) => {
    const led = retarget([bearer], locator);
    return 'ok' in led && led.ok.includes(element);
  });
}

/**
 * @template {string} Key
 * @param {Key} key
 * @param {(string | undefined)[]} values
 * @returns {Partial<Record<Key, string>>}
 */
function first_of(key, values) {
  const value = values.find((each) => each !== undefined);
  return /** @type {Partial<Record<Key, string>>} */ (value === undefined ? {} : { [key]: value });
}
