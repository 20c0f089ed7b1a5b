import { query_all } from '../css/query_all.js';
import { query_pierced } from '../css/query_pierced.js';
import { document_query, element_query, evaluate_xpath } from '../native/document.js';
import { composed_closest } from '../tree/composed_closest.js';
import { shadow_roots } from '../tree/shadow_roots.js';

/** How many matches of one field are taken. */
const MAX_FOUND = 100_000;

/**
 * @typedef {{nodes: Node[], value?: string | number | boolean}} Finding nodes, or the value of an XPath that gives none
 */

/**
 * Finds what a field names, from its record: down by selector or XPath, then up to `closest`.
 *
 * @param {Document | Element} base
 * @param {Pick<ExtractField, 'selector' | 'xpath' | 'closest'>} field
 * @param {{many: boolean, pierce: boolean}} options
 * @returns {Finding}
 */
export function find(base, field, options) {
  const finding = start(base, field, options);
  const { closest } = field;
  if (closest === undefined) return finding;
  /** @type {Set<Node>} */
  const climbed = new Set();
  for (const node of finding.nodes) {
    const from = node instanceof Element ? node : null;
    const found = from && composed_closest(from, closest);
    if (found) climbed.add(found);
  }
  return { nodes: [...climbed] };
}

/**
 * @param {Document | Element} base
 * @param {Pick<ExtractField, 'selector' | 'xpath'>} field
 * @param {{many: boolean, pierce: boolean}} options
 * @returns {Finding}
 */
function start(base, { selector, xpath }, { many, pierce }) {
  if (selector !== undefined) return { nodes: by_selector(base, selector, many, pierce) };
  if (xpath !== undefined) return by_xpath(base, xpath);
  return { nodes: [base] };
}

/**
 * @param {Document | Element} base
 * @param {string} selector
 * @param {boolean} many
 * @param {boolean} pierce
 * @returns {Node[]}
 */
function by_selector(base, selector, many, pierce) {
  if (pierce) return query_pierced(base, shadow_roots(base).roots, selector);
  if (many) return Array.prototype.slice.call(query_all(base, selector), 0, MAX_FOUND);
  const first = base instanceof Document ? document_query(base, selector) : element_query(base, selector);
  return first ? [first] : [];
}

/**
 * @param {Node} base
 * @param {string} expression
 * @returns {Finding}
 */
function by_xpath(base, expression) {
  const result = evaluate_xpath(document, expression, base, null, XPathResult.ANY_TYPE, null);
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
