// Evaluates XPath expressions in a tree and in all shadow roots below it.

import { query_all } from '../css/query_all.js';
import { evaluate_xpath } from '../native/document.js';
import { first_child, next_sibling, node_type } from '../native/node.js';
import { composed_contains } from '../tree/composed_contains.js';
import { composed_runs } from '../tree/composed_runs.js';
import { end_of_group, split_union } from './split_union.js';

/** Replaces `//` for a context node at the top of a shadow root, where a leading `/` would select the document. */
const FROM_THE_TOP = 'parent::node()/descendant-or-self::node()/';

/** The largest number of nodes that one expression returns. */
const MAX_NODES = 100_000;

/**
 * Evaluates an XPath expression in a root and in each shadow root below it and returns the elements it selects. Throws
 * the browser's error when the expression does not parse or does not select nodes.
 *
 * XPath does not know shadow roots. An expression that starts with `//` is therefore rewritten and evaluated from a
 * child of each shadow root. One that starts with a single `/` is a path from the document and is not evaluated in
 * shadow roots.
 *
 * @param {Root} root
 * @param {ShadowRoot[]} shadows
 * @param {string} expression
 * @returns {Element[]}
 */
export function query_xpath(root, shadows, expression) {
  const found = evaluate(root instanceof ShadowRoot ? document : root, expression);
  const elements = root instanceof Element ? found.filter((element) => composed_contains(root, element)) : found;
  const relative = relative_form(expression);
  if (!relative) return elements;
  const known = new Set(elements);
  const from_above = split_union(relative).every((form) => form.trim().startsWith(FROM_THE_TOP));
  /** @type {Map<Root, Iterable<Element>>} */
  const runs = new Map([[root, elements]]);
  for (const shadow of shadows) {
    /** @type {Set<Element>} */
    const inside = new Set();
    for (let child = first_child(shadow); child; child = next_sibling(child)) {
      if (node_type(child) !== Node.ELEMENT_NODE) continue;
      for (const element of evaluate(child, relative)) if (!known.has(element)) inside.add(element);
      if (from_above) break;
    }
    if (inside.size > 0) runs.set(shadow, inside.size === 1 ? inside : in_order(shadow, inside));
  }
  return runs.size > 1 ? composed_runs(root, runs) : elements;
}

/**
 * @param {ShadowRoot} shadow
 * @param {Set<Element>} found
 */
function in_order(shadow, found) {
  return Array.from(query_all(shadow, '*')).filter((element) => found.has(element));
}

/**
 * Rewrites an expression to start at the context node, without the alternatives that can only start at the document.
 *
 * @param {string} expression
 * @returns {string | null} null when none is left
 */
function relative_form(expression) {
  const forms = split_union(expression).map(relative_alternative);
  const relative = forms.filter((form) => form !== null);
  return relative.length > 0 ? relative.join(' | ') : null;
}

/**
 * @param {string} alternative
 * @returns {string | null}
 */
function relative_alternative(alternative) {
  const text = alternative.trim();
  const end = text.startsWith('(') ? end_of_group(text) : -1;
  if (end > 0) {
    const inner = relative_form(text.slice(1, end));
    return inner && `(${inner})${text.slice(end + 1)}`;
  }
  if (text.startsWith('//')) return `${FROM_THE_TOP}${text.slice(2)}`;
  return text.startsWith('/') ? null : text;
}

/**
 * @param {Node} context
 * @param {string} expression
 * @returns {Element[]}
 */
function evaluate(context, expression) {
  const result = evaluate_xpath(document, expression, context, null, XPathResult.ORDERED_NODE_ITERATOR_TYPE, null);
  const elements = [];
  for (let node = result.iterateNext(); node && elements.length < MAX_NODES; node = result.iterateNext()) {
    if (node_type(node) === Node.ELEMENT_NODE) elements.push(/** @type {Element} */ (node));
  }
  return elements;
}
