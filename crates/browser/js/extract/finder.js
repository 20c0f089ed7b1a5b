// Finds the nodes that an item or a field of an extraction reads.

import { query_all } from '../css/query_all.js';
import { query_pierced } from '../css/query_pierced.js';
import { document_query, element_query, evaluate_xpath } from '../native/document.js';
import { is_document, is_element } from '../native/kind.js';
import { owner_document } from '../native/node.js';
import { composed_closest } from '../tree/composed_closest.js';
import { shadow_roots } from '../tree/shadow_roots.js';

/** The largest number of matches that one search returns; a search that reaches it may be incomplete. */
export const MAX_FOUND = 100_000;

/**
 * @typedef {object} Finding
 * @property {Node[]} nodes
 * @property {string | number | boolean} [value] the result of an XPath expression that is not a node set
 */

/**
 * Builds the search of a field, relative to its record: down by selector or XPath, then up to `closest`.
 *
 * @param {Pick<ExtractField, 'selector' | 'xpath' | 'closest'>} field
 * @param {{many: boolean, pierce: boolean}} options
 * @returns {(base: Node) => Finding}
 */
export function finder({ selector, xpath, closest }, { many, pierce }) {
  const down = descent(selector, xpath, many, pierce);
  if (closest === undefined) return down;
  return (base) => ({ nodes: climb(down(base).nodes, closest) });
}

/**
 * Builds the fast search for the first match of a plain selector, the most common case; returns null for other fields.
 *
 * @param {Pick<ExtractField, 'selector' | 'xpath' | 'closest'>} field
 * @param {boolean} pierce
 * @returns {((base: Node) => Node | null) | null}
 */
export function single_finder({ selector, xpath, closest }, pierce) {
  if (closest !== undefined || xpath !== undefined || pierce) return null;
  if (selector === undefined) return (base) => base;
  return (base) => first_match(base, selector);
}

/**
 * Returns the first match below a node. A text or an attribute, which XPath gives, contains no elements.
 *
 * @param {Node} base
 * @param {string} selector
 * @returns {Element | null}
 */
function first_match(base, selector) {
  if (is_document(base)) return document_query(base, selector);
  return is_element(base) ? element_query(base, selector) : null;
}

/**
 * Returns all matches below a node.
 *
 * @param {Node} base
 * @param {string} selector
 * @param {boolean} pierce
 * @returns {Element[]}
 */
function all_matches(base, selector, pierce) {
  if (!is_document(base) && !is_element(base)) return [];
  if (pierce) return query_pierced(base, shadow_roots(base).roots, selector);
  return Array.prototype.slice.call(query_all(base, selector), 0, MAX_FOUND);
}

/**
 * @param {string | undefined} selector
 * @param {string | undefined} xpath
 * @param {boolean} many
 * @param {boolean} pierce
 * @returns {(base: Node) => Finding}
 */
function descent(selector, xpath, many, pierce) {
  if (xpath !== undefined) return (base) => by_xpath(base, xpath);
  if (selector === undefined) return (base) => ({ nodes: [base] });
  if (pierce || many) return (base) => ({ nodes: all_matches(base, selector, pierce) });
  return (base) => {
    const first = first_match(base, selector);
    return { nodes: first ? [first] : [] };
  };
}

/**
 * @param {Node[]} nodes
 * @param {string} closest
 * @returns {Node[]}
 */
function climb(nodes, closest) {
  /** @type {Set<Node>} */
  const found = new Set();
  for (const node of nodes) {
    const above = is_element(node) ? composed_closest(node, closest) : null;
    if (above) found.add(above);
  }
  return [...found];
}

/**
 * @param {Node} base
 * @param {string} expression
 * @returns {Finding}
 */
function by_xpath(base, expression) {
  const result = evaluate_xpath(owner_document(base) ?? document, expression, base, null, XPathResult.ANY_TYPE, null);
  switch (result.resultType) {
    case XPathResult.STRING_TYPE:
      return { nodes: [], value: result.stringValue };
    case XPathResult.NUMBER_TYPE:
      return { nodes: [], value: result.numberValue };
    case XPathResult.BOOLEAN_TYPE:
      return { nodes: [], value: result.booleanValue };
    default: {
      /** @type {Node[]} */
      const nodes = [];
      for (let node = result.iterateNext(); node && nodes.length < MAX_FOUND; node = result.iterateNext())
        nodes.push(node);
      return { nodes };
    }
  }
}
