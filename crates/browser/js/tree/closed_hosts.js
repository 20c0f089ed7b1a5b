// Plans which elements the driver must describe (`DOM.describeNode`) to discover closed shadow roots. Scripts cannot
// see closed roots, but the DevTools protocol reports them.

import { check_visibility, element_attributes, local_name } from '../native/element.js';
import { html_name } from '../native/kind.js';
import { first_child, next_sibling, node_type, parent_node, text_data, text_length } from '../native/node.js';
import { create_tree_walker } from '../native/document.js';
import { now } from '../wait/now.js';
import { document_roots } from './document_roots.js';
import { shadow_of } from './shadow_of.js';

/** Built-in elements that can host a shadow root. Every custom element can as well. */
const HOSTS = new Set(
  'article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span'.split(' '),
);

/** How long a result for an element that looks like a host stays valid, in milliseconds. */
const MEMORY = 500;

/** The shortest time between two queries while a call is waiting, in milliseconds. */
const PAUSE = 250;

/** The approximate size limits of one description and of all descriptions together, in characters. */
const MAX_EACH = 8_000_000;
const MAX_ALL = 32_000_000;

/** How many elements are examined. */
const MAX_VISITED = 300_000;

/** How many descriptions are requested, and how many levels of elements one description contains. */
const MAX_QUESTIONS = 10_000;
const MAX_DEPTH = 24;

/**
 * The size of a node's description apart from its text and attributes, and how much of its text the description
 * contains.
 */
const NODE_SIZE = 250;
const MAX_TEXT = 10_000;

/** When the driver last examined each element. @type {WeakMap<Element, number>} */
const asked = new WeakMap();

/** The elements that the driver is examining now. @type {Element[]} */
let underway = [];

let asked_at = -Infinity;
let left_out = 0;
let described = 0;

/**
 * Returns whether any element may host a closed shadow root and has not been examined. On a page that does not change,
 * there are none after the first query.
 *
 * @param {{likely?: boolean, once?: boolean}} [options] `likely` considers only elements that look like hosts and
 *   limits how often it says yes, for use inside waits; `once` never examines an element twice, for things that are
 *   often absent and read often
 * @returns {boolean}
 */
export function has_unasked_hosts({ likely = false, once = false } = {}) {
  if (likely && was_just_asked()) return false;
  for (const element of possible_hosts()) {
    if (once ? asked.has(element) : !is_unasked(element)) continue;
    if (!likely || looks_like_host(element)) return true;
  }
  return false;
}

/** Returns whether the driver was queried a moment ago, so that a waiting call need not query it again yet. */
export function was_just_asked() {
  return now() - asked_at < PAUSE;
}

/**
 * Returns elements that look like hosts of a closed root and have not been examined.
 *
 * @param {number} most
 * @returns {Element[]}
 */
export function likely_hosts(most) {
  const found = [];
  for (const element of possible_hosts()) {
    if (found.length === most) break;
    if (is_unasked(element) && looks_like_host(element)) found.push(element);
  }
  return found;
}

/** Returns a lower bound of how many possible hosts were not examined because there are too many. */
export function hosts_left_out() {
  return left_out;
}

/**
 * Returns the elements that the driver must describe to discover every closed root, each followed by the number of
 * levels to describe below it; null when none is left. Small subtrees are described whole, large ones in pieces.
 *
 * @param {boolean} answered whether the driver has described the elements returned by the previous call; if so, this
 *   call continues the same query
 * @returns {(Element | number)[] | null}
 */
export function ask_about_hosts(answered) {
  if (answered) for (const element of underway) asked.set(element, now());
  else described = 0;
  underway = [];
  left_out = 0;
  asked_at = now();
  const questions = plan(survey());
  return questions.length > 0 ? questions : null;
}

/**
 * @typedef {object} Survey the elements of every reachable tree in document order; the other arrays have one entry per
 *   element
 * @property {Element[]} elements
 * @property {number[]} parents the index of the parent, or -1
 * @property {number[]} own the size of its own description
 * @property {number[]} whole the size of the description of its whole subtree
 * @property {boolean[]} unasked
 * @property {number[]} counts how many elements its subtree has, itself included
 * @property {number[]} unasked_counts how many of those have not been examined
 */

/** @returns {Survey} */
function survey() {
  /** @type {Survey} */
  const found = { elements: [], parents: [], own: [], whole: [], unasked: [], counts: [], unasked_counts: [] };
  for (const root of [document, ...document_roots({ fresh: true }).roots]) survey_root(root, found);
  const { elements, parents, own, unasked } = found;
  found.whole = [...own];
  found.counts = elements.map(() => 1);
  found.unasked_counts = unasked.map(Number);
  for (let i = elements.length - 1; i >= 0; i -= 1) {
    const parent = /** @type {number} */ (parents[i]);
    if (parent < 0) continue;
    for (const column of [found.whole, found.counts, found.unasked_counts]) {
      column[parent] = /** @type {number} */ (column[parent]) + /** @type {number} */ (column[i]);
    }
  }
  return found;
}

/**
 * @param {Root} root
 * @param {Survey} found
 */
function survey_root(root, { elements, parents, own, unasked }) {
  const walker = create_tree_walker(
    document,
    root,
    NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT | NodeFilter.SHOW_COMMENT,
  );
  /** The indices of the ancestors of the current node. @type {number[]} */
  const way = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = parent_node(node);
    while (way.length > 0 && elements[/** @type {number} */ (way.at(-1))] !== parent) way.pop();
    const above = way.at(-1) ?? -1;
    if (node_type(node) !== Node.ELEMENT_NODE) {
      const size = Math.min(text_length(/** @type {CharacterData} */ (node)), MAX_TEXT) + NODE_SIZE;
      if (above >= 0) own[above] = /** @type {number} */ (own[above]) + size;
      continue;
    }
    const element = /** @type {Element} */ (node);
    if (elements.length >= MAX_VISITED) {
      left_out += 1;
      return;
    }
    way.push(elements.length);
    elements.push(element);
    parents.push(above);
    own.push(NODE_SIZE + attributes_size(element));
    unasked.push(may_host(element) && is_unasked(element));
  }
}

/**
 * @param {Survey} survey
 * @returns {(Element | number)[]}
 */
function plan({ elements, parents, own, whole, unasked, counts, unasked_counts }) {
  /** @type {(Element | number)[]} */
  const questions = [];
  /** How many levels below each element its own description or that of an ancestor covers. @type {number[]} */
  const levels = [];
  for (const [i, element] of elements.entries()) {
    const column = (/** @type {number[]} */ of) => /** @type {number} */ (of[i]);
    const below = (levels[column(parents)] ?? 0) - 1;
    levels.push(below);
    if (below < 0) {
      const some = column(unasked_counts);
      if (some === 0) continue;
      const at_once = column(whole) <= MAX_EACH && some * 4 >= column(counts);
      if (!at_once && !unasked[i]) continue;
      const size = at_once ? column(whole) : column(own);
      if (size > MAX_EACH || described + size > MAX_ALL || questions.length >= 2 * MAX_QUESTIONS) {
        if (unasked[i]) left_out += 1;
        continue;
      }
      described += size;
      levels[i] = at_once ? MAX_DEPTH : 0;
      questions.push(element, column(levels));
    }
    if (unasked[i]) underway.push(element);
  }
  return questions;
}

/** Yields every element that may host a closed root, by its name, and has no known root. */
function* possible_hosts() {
  for (const root of [document, ...document_roots({ fresh: false }).roots]) {
    const walker = create_tree_walker(document, root, NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = /** @type {Element} */ (node);
      if (may_host(element)) yield element;
    }
  }
}

/** @param {Element} element */
function may_host(element) {
  const name = html_name(element);
  return name !== null && (HOSTS.has(name) || name.includes('-')) && shadow_of(element) === null;
}

/** @param {Element} element */
function is_unasked(element) {
  const at = asked.get(element);
  // A root can be attached at any time, but an element that shows its own children usually has none.
  return at === undefined || (now() - at > MEMORY && looks_like_host(element));
}

/**
 * Returns whether an element is a custom element, or none of its children is visible.
 *
 * @param {Element} element
 */
function looks_like_host(element) {
  if (local_name(element).includes('-')) return true;
  for (let child = first_child(element); child; child = next_sibling(child)) {
    switch (node_type(child)) {
      case Node.ELEMENT_NODE: {
        const inner = /** @type {Element} */ (child);
        // Do not read its boxes: that would force a layout of content that the browser has skipped.
        if (check_visibility(inner)) return false;
        const { display } = getComputedStyle(inner);
        return display !== 'none' && display !== 'contents';
      }
      case Node.TEXT_NODE:
        if (text_data(/** @type {Text} */ (child)).trim() !== '') return false;
        break;
      default:
        break;
    }
  }
  return true;
}

/** @param {Element} element */
function attributes_size(element) {
  let size = 0;
  for (const { name, value } of element_attributes(element)) size += name.length + value.length;
  return size;
}
