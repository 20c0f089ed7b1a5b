import { fragment_query_all } from '../native/document.js';
import { refuse_expression } from '../locator/candidates.js';
import { refuse } from '../answer/answer.js';

/** How deep fields may nest. */
const MAX_DEPTH = 8;

const nowhere = document.createDocumentFragment();

/**
 * Refuses an extraction whose selectors do not parse, before anything is read: one that matches no record would
 * otherwise hide a mistake in its fields.
 *
 * @param {ExtractItem[]} items
 * @returns {Refusal | null}
 */
export function refuse_unparsable(items) {
  for (const item of items) {
    const bad = check_one(item, item.id, 0);
    if (bad) return bad;
  }
  return null;
}

/**
 * @param {ExtractField} field
 * @param {string} path
 * @param {number} depth
 * @returns {Refusal | null}
 */
function check_one(field, path, depth) {
  if (depth > MAX_DEPTH)
    return refuse('invalid_input', `the fields of \`${path}\` nest too deep`, { path, max: MAX_DEPTH });
  for (const key of /** @type {const} */ (['selector', 'closest'])) {
    const selector = field[key];
    if (selector === undefined) continue;
    try {
      fragment_query_all(nowhere, selector);
    } catch (error) {
      return refuse_expression(`${path}.${key}`, selector, error);
    }
  }
  if (field.xpath !== undefined) {
    try {
      new XPathEvaluator().createExpression(field.xpath);
    } catch (error) {
      return refuse_expression('xpath', field.xpath, error);
    }
  }
  for (const [name, inner] of Object.entries(field.fields ?? {})) {
    const bad = check_one(inner, `${path}.${name}`, depth + 1);
    if (bad) return bad;
  }
  return null;
}
