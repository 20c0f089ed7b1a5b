import { refuse } from '../answer/answer.js';
import { fragment_query_all } from '../native/document.js';

const nowhere = new DocumentFragment();

/**
 * Refuses a selector that does not parse, without looking at the page.
 *
 * @param {string} key what the selector is for
 * @param {string | undefined} selector
 * @returns {Refusal | null} null when it parses, or there is none
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
 * Refuses an expression with what the browser says about it. What is not the browser's verdict is thrown on.
 *
 * @param {string} key what the expression is for
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
