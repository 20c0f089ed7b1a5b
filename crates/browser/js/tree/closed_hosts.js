import { check_visibility, element_attributes, local_name } from '../native/element.js';
import { html_name } from '../native/kind.js';
import { first_child, next_sibling, node_type, parent_node, text_data, text_length } from '../native/node.js';
import { create_tree_walker } from '../native/document.js';
import { now } from '../wait/now.js';
import { document_roots } from './document_roots.js';
import { shadow_of } from './shadow_of.js';

/** Built-in elements that can host a shadow root; every custom element can. */
const HOSTS = new Set(
  'article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span'.split(' '),
);

/** How long what the browser said of an element that looks like a host is taken for true. */
const MEMORY = 500;

/** The shortest time between two questions while something is waited for. */
const PAUSE = 250;

/** How much of the page one description takes in, and all of them, in characters, about. */
const MAX_EACH = 8_000_000;
const MAX_ALL = 32_000_000;

/** How many elements are looked at. */
const MAX_VISITED = 300_000;

/** How many descriptions are asked for, and how many levels of elements one has. */
const MAX_QUESTIONS = 10_000;
const MAX_DEPTH = 24;

/** What the description of a node takes beside its text and its attributes, and how much of its text it has. */
const NODE_SIZE = 250;
const MAX_TEXT = 10_000;

/** When the browser was asked whether an element hosts a closed root. @type {WeakMap<Element, number>} */
const asked = new WeakMap();

/** The elements it is being asked about. @type {Element[]} */
let underway = [];

let asked_at = -Infinity;
let left_out = 0;
let described = 0;

/**
 * Says whether there are elements that may host a closed shadow root and that the browser was not asked about: of a page
 * that does not change there are none once it was asked.
 *
 * The page itself cannot tell a closed root; the driver can ask the browser.
 *
 * @param {{likely?: boolean, once?: boolean}} [options] `likely` looks only at elements that look like hosts, and not
 *   too often: for what is waited for, before the time is over; `once` never asks about an element again: for what may
 *   well be absent and is looked for often
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

/** Says whether the browser was asked a moment ago, so that something that is waited for need not ask at once again. */
export function was_just_asked() {
  return now() - asked_at < PAUSE;
}

/**
 * Gives the elements that look like hosts of a closed root, of those that the browser was not asked about.
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

/** How many elements may host a closed root and were too many to ask about, at least. */
export function hosts_left_out() {
  return left_out;
}

/**
 * Gives what the browser is to describe so that every closed root shows: elements, each followed by the number of levels
 * below it; null when there is nothing to ask. Small parts of the page are described whole, large ones piece by piece.
 *
 * @param {boolean} answered whether the browser has told of what was given last; this then goes on with the same question
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
 * @typedef {object} Survey the elements of every reachable tree, in order; the columns are by element
 * @property {Element[]} elements
 * @property {number[]} parents the number of the parent, or -1
 * @property {number[]} own the size of its own description
 * @property {number[]} whole the size of the description of everything below it
 * @property {boolean[]} unasked
 * @property {number[]} counts how many elements there are below it, and itself
 * @property {number[]} unasked_counts how many of those are to be asked about
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
  /** The way from the root to the node. @type {number[]} */
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
  /** How many levels below an element the question about it, or about one above it, has. @type {number[]} */
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

/** Every element that may host a closed root by its name, and has no root that can be entered. */
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
  // A root may be given to an element at any time, but what shows children of its own has none as a rule.
  return at === undefined || (now() - at > MEMORY && looks_like_host(element));
}

/**
 * Says whether an element is a custom one, or nothing is to be seen of what it has in it.
 *
 * @param {Element} element
 */
function looks_like_host(element) {
  if (local_name(element).includes('-')) return true;
  for (let child = first_child(element); child; child = next_sibling(child)) {
    switch (node_type(child)) {
      case Node.ELEMENT_NODE: {
        const inner = /** @type {Element} */ (child);
        // Not by its boxes: they would have what the browser has not laid out yet laid out.
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
