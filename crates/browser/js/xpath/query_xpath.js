import { evaluate_xpath } from '../native/document.js';
import { first_child, next_sibling, node_type } from '../native/node.js';
import { composed_contains } from '../tree/composed_contains.js';
import { composed_order } from '../tree/composed_order.js';

/** How many nodes of one expression are taken. */
const MAX_NODES = 100_000;

/**
 * Evaluates an XPath in a root and in each shadow root below it, and gives the elements it finds. Throws what the
 * browser throws for an expression that does not parse or gives no nodes.
 *
 * XPath knows no shadow roots, so an expression that starts at `//` is evaluated below each child of a shadow root;
 * one that starts at `/` names a path from the document and is not looked for there.
 *
 * @param {Root} root
 * @param {ShadowRoot[]} shadows
 * @param {string} expression
 * @returns {Element[]}
 */
export function query_xpath(root, shadows, expression) {
  const found = new Set(evaluate(root instanceof ShadowRoot ? document : root, expression));
  if (root instanceof Element) {
    for (const element of found) if (!composed_contains(root, element)) found.delete(element);
  }
  const in_document = found.size;
  const relative = relative_form(expression);
  if (relative) {
    for (const shadow of shadows) {
      for (let child = first_child(shadow); child; child = next_sibling(child)) {
        if (node_type(child) !== Node.ELEMENT_NODE) continue;
        for (const element of evaluate(child, relative)) found.add(element);
      }
    }
  }
  const elements = [...found];
  return found.size > in_document ? elements.sort(composed_order) : elements;
}

/**
 * Gives the form of an expression that starts at the context node.
 *
 * @param {string} expression
 * @returns {string | null} null when the expression can only start at the document
 */
function relative_form(expression) {
  const match = /^(\s*\(*\s*)(\/{0,2})/.exec(expression);
  const slashes = match?.[2] ?? '';
  if (slashes === '/') return null;
  if (slashes === '') return expression;
  const lead = match?.[1] ?? '';
  return `${lead}descendant-or-self::node()/${expression.slice(lead.length + 2)}`;
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
