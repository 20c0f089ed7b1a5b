// Reports selectors and XPath expressions that do not parse.

import { refuse } from '../answer/answer.js';
import { fragment_query_all } from '../native/document.js';

const nowhere = new DocumentFragment();

/**
 * Refuses a selector that does not parse. It does not look at the page.
 *
 * @param {string} key the argument that holds the selector
 * @param {string | undefined} selector
 * @returns {Refusal | null} null when the selector parses or is absent
 */
export function refuse_selector(key, selector) {
  if (selector === undefined) return null;
  try {
    fragment_query_all(nowhere, selector);
    return null;
  } catch (error) {
    return refuse_expression(key, 'selector', selector, error);
  }
}

/**
 * Turns the browser's parse error into a refusal. Rethrows any other error.
 *
 * @param {string} key the argument that holds the expression
 * @param {'selector' | 'XPath'} what
 * @param {string} expression
 * @param {unknown} error
 * @returns {Refusal}
 */
export function refuse_expression(key, what, expression, error) {
  if (!(error instanceof DOMException || error instanceof TypeError)) throw error;
  return refuse('invalid_selector', `the ${what} \`${expression}\` does not parse`, {
    key,
    expression,
    reason: error.message,
  });
}
