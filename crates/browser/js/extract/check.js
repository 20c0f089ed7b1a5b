// Validates an extraction before anything is read.

import { refuse } from '../answer/answer.js';
import { refuse_expression, refuse_selector } from '../css/refuse_selector.js';

/** The deepest nesting of fields. */
const MAX_DEPTH = 8;

/**
 * Refuses an extraction whose selectors do not parse. Checking first matters because an item without matches would
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
  if (depth > MAX_DEPTH) {
    return refuse('invalid_input', `the fields of \`${path}\` nest more than ${MAX_DEPTH} levels deep`, { path, max: MAX_DEPTH });
  }
  const unparsable =
    refuse_selector(`${path}.selector`, field.selector) ??
    refuse_selector(`${path}.closest`, field.closest) ??
    refuse_xpath(`${path}.xpath`, field.xpath);
  if (unparsable) return unparsable;
  for (const [name, inner] of Object.entries(field.fields ?? {})) {
    const bad = check_one(inner, `${path}.${name}`, depth + 1);
    if (bad) return bad;
  }
  return null;
}

/**
 * @param {string} key
 * @param {string | undefined} expression
 * @returns {Refusal | null}
 */
function refuse_xpath(key, expression) {
  if (expression === undefined) return null;
  try {
    new XPathEvaluator().createExpression(expression);
    return null;
  } catch (error) {
    return refuse_expression(key, 'XPath', expression, error);
  }
}
