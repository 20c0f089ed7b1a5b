// Describes an element so that it can be recognised later, on a page that has changed.

import { accessible_name } from '../aria/name.js';
import { role } from '../aria/role.js';
import { disabled_reason } from '../facts/disabled_reason.js';
import { is_rendered } from '../facts/is_rendered.js';
import { boxes } from '../geometry/boxes.js';
import { union } from '../geometry/rect.js';
import { attribute, element_matches, local_name } from '../native/element.js';
import { cut_text } from '../reading/cut_text.js';
import { visible_text } from '../reading/visible_text.js';
import { composed_parent } from '../tree/composed_parent.js';
import { operable_within } from './operable.js';

/** Attributes that say what an element is for. Those whose value is the user's are not among them. */
const TELLING = `id name type href action method for alt placeholder title autocomplete rel itemprop data-testid
  data-test data-test-id data-qa data-cy data-actions-json-target`.split(/\s+/);

/** Elements around an element that belong together. */
const GROUP = 'form, fieldset, dialog, nav, article, section, aside, header, footer, main, table, ul, ol, tr, li';

/** How far the names of neighbours, the text and a path reach. */
const MAX_NAME = 120;
const MAX_TEXT = 1_000;
const MAX_DEPTH = 40;
const MAX_AROUND = 40;
const MAX_CLASSES = 12;

/**
 * Describes an element: what it is, what it is called, where it stands and what is beside it.
 *
 * @param {Element} element
 */
export function fingerprint(element) {
  return {
    tag: local_name(element),
    role: role(element),
    name: name_of(element),
    text: visible_text(element, { max_chars: MAX_TEXT, max_nodes: 5_000 }).text,
    attributes: telling_attributes(element),
    classes: classes(element),
    path: path(element),
    near: neighbours(element),
    holds: operable_within(element, 6).map(said),
    rect: union(boxes(element)),
    rendered: is_rendered(element),
    enabled: disabled_reason(element) === null,
  };
}

/**
 * Names an element by its role and accessible name, such as `button Save`.
 *
 * @param {Element} element
 * @returns {string}
 */
export function said(element) {
  return `${role(element) || local_name(element)} ${name_of(element)}`.trim();
}

/** @param {Element} element */
function name_of(element) {
  return cut_text(accessible_name(element), MAX_NAME);
}

/** @param {Element} element */
function telling_attributes(element) {
  /** @type {Record<string, string>} */
  const found = {};
  for (const key of TELLING) {
    const value = attribute(element, key);
    if (value) found[key] = cut_text(value, 200);
  }
  // The value of a choice says which one it is; every other value is the user's.
  const is_choice = element_matches(element, 'input:is([type=radio], [type=checkbox], [type=submit], [type=button]), option');
  const value = is_choice ? attribute(element, 'value') : null;
  return value ? { ...found, value: cut_text(value, MAX_NAME) } : found;
}

/** @param {Element} element */
function classes(element) {
  const written = (attribute(element, 'class') ?? '').split(/\s+/).filter(Boolean);
  return written.slice(0, MAX_CLASSES).map((name) => cut_text(name, 80));
}

/**
 * The tags from the root of the document to the element; `#shadow` stands before what is inside a shadow root.
 *
 * @param {Element} element
 */
function path(element) {
  const tags = [];
  for (let at = /** @type {Element | null} */ (element); at && tags.length < MAX_DEPTH; at = composed_parent(at)) {
    tags.push(local_name(at));
  }
  return tags.reverse();
}

/**
 * What is beside an element: the names of the groups around it, and the operable elements before and after it.
 *
 * @param {Element} element
 */
function neighbours(element) {
  /** @type {string[]} */
  const around = [];
  let group = null;
  for (let at = composed_parent(element); at && around.length < 3; at = composed_parent(at)) {
    if (!element_matches(at, GROUP)) continue;
    group ??= at;
    const name = accessible_name(at);
    if (name) around.push(`in ${role(at) || local_name(at)} ${cut_text(name, MAX_NAME)}`);
  }
  if (!group) return around;
  const siblings = operable_within(group, MAX_AROUND);
  const here = siblings.indexOf(element);
  if (here < 0) return around;
  const before = siblings.slice(Math.max(0, here - 2), here);
  const after = siblings.slice(here + 1, here + 3);
  return [...around, ...before.map((each) => `after ${said(each)}`), ...after.map((each) => `before ${said(each)}`)];
}
