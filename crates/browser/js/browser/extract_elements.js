// `browser.extract_elements`: reads fields from repeated items of the page.

import { within_bytes } from '../answer/within_bytes.js';
import { refuse } from '../answer/answer.js';
import { query_pierced } from '../css/query_pierced.js';
import { refuse_selector } from '../css/refuse_selector.js';
import { is_rendered } from '../facts/is_rendered.js';
import { base_uri, document_url } from '../native/document.js';
import { attribute, element_matches } from '../native/element.js';
import { resolve_scope } from '../scope/resolve_scope.js';
import { visible_text } from '../reading/visible_text.js';
import { shadow_roots } from '../tree/shadow_roots.js';

/** The longest value of a field, in characters. */
const MAX_CHARS = 10_000;

const HINTS = ['use a narrower item_selector', 'use a narrower scope', 'read fewer fields', 'raise the limit'];

/**
 * @typedef {object} Field
 * @property {string} name
 * @property {string} [selector] relative to the item; the item itself when absent
 * @property {string} [attribute]
 * @property {string[]} [attributes] tried in order; the first one that is not empty is used
 */

/**
 * Reads fields from every rendered item of a scope. Items that are empty or repeat an earlier one are left out.
 *
 * @param {{scope?: Scope, item_selector: string, fields: Field[], max_items?: number, max_payload_bytes?: number}} args
 * @param {Call} call
 */
export function browser_extract_elements(args, call) {
  const { scope = {}, item_selector, fields, max_items = 1_000, max_payload_bytes = 256_000 } = args;
  const bad = refuse_selectors(item_selector, fields);
  if (bad) return bad;
  const found = resolve_scope(scope, item_selector, call);
  if ('error' in found) return found;
  const root = found.ok.element;
  const read = read_items(below(root, item_selector), fields, max_items);
  if ('error' in read) return read;
  const items = read.ok;
  return within_bytes(
    {
      scope: {
        text: visible_text(root, { max_chars: 240, max_nodes: 2_000 }).text,
        selector_count: found.ok.candidate_count,
      },
      items,
      item_count: items.length,
      extracted_at: new Date().toISOString(),
      url: document_url(document),
    },
    max_payload_bytes,
    { item_count: items.length, narrowing_hints: HINTS },
  );
}

/**
 * @param {string} item_selector
 * @param {Field[]} fields
 * @returns {Refusal | null}
 */
function refuse_selectors(item_selector, fields) {
  for (const { name, selector } of [{ name: 'item_selector', selector: item_selector }, ...fields]) {
    const bad = refuse_selector(name, selector);
    if (bad) return bad;
  }
  return null;
}

/**
 * Reads the rendered items. Nothing is truncated: the first excess over a limit is refused.
 *
 * @param {Element[]} elements
 * @param {Field[]} fields
 * @param {number} max_items
 * @returns {{ok: Record<string, string>[]} | Refusal}
 */
function read_items(elements, fields, max_items) {
  const seen = new Set();
  const items = [];
  for (const element of elements) {
    if (!is_rendered(element)) continue;
    const item = read_item(element, fields);
    const long = fields.find(({ name }) => (item[name] ?? '').length > MAX_CHARS);
    if (long) return refuse_value(long.name);
    const key = JSON.stringify(item);
    if (seen.has(key) || Object.values(item).every((value) => value === '')) continue;
    seen.add(key);
    if (items.length === max_items) {
      return refuse('payload_too_large', `there are more than ${max_items} items`, { max_items, narrowing_hints: HINTS });
    }
    items.push(item);
  }
  return { ok: items };
}

/** @param {string} field */
function refuse_value(field) {
  return refuse('payload_too_large', `a value of \`${field}\` is longer than ${MAX_CHARS} characters`, {
    field,
    max_chars: MAX_CHARS,
    narrowing_hints: ['choose a smaller element', 'use locator.text_content or locator.value with a larger max_chars'],
  });
}

/**
 * @param {Element} item
 * @param {Field[]} fields
 * @returns {Record<string, string>}
 */
function read_item(item, fields) {
  /** @type {Record<string, string>} */
  const record = Object.create(null);
  for (const field of fields) record[field.name] = read_field(item, field);
  return record;
}

/**
 * Returns the first value that is not empty among the matches of a field and its attributes.
 *
 * @param {Element} item
 * @param {Field} field
 */
function read_field(item, field) {
  const names = field.attributes ?? [field.attribute ?? 'text'];
  const matches = field.selector === undefined || field.selector === ':scope' ? [item] : below(item, field.selector);
  for (const element of matches) {
    for (const name of names) {
      const value = read_attribute(element, name);
      if (value !== '') return value;
    }
  }
  return '';
}

/**
 * Reads an attribute. URLs are made absolute. `text` stands for the visible text, cut one character past the limit so
 * that the caller can detect an excess.
 *
 * @param {Element} element
 * @param {string} name
 */
function read_attribute(element, name) {
  switch (name) {
    case 'text':
    case 'textContent':
    case 'innerText':
      return visible_text(element, { max_chars: MAX_CHARS + 1 }).text;
    case 'currentSrc':
      return element instanceof HTMLImageElement || element instanceof HTMLMediaElement ? element.currentSrc : '';
    case 'value':
      return element_matches(element, 'input:not([type=password]), textarea, select')
        ? /** @type {HTMLInputElement} */ (element).value
        : (attribute(element, name) ?? '');
    case 'href':
    case 'src':
      return absolute(attribute(element, name));
    default:
      return (attribute(element, name) ?? '').trim();
  }
}

/** @param {string | null} address */
function absolute(address) {
  if (address === null || address.trim() === '') return '';
  try {
    return new URL(address, base_uri(document)).href;
  } catch {
    return address;
  }
}

/**
 * @param {Element} element
 * @param {string} selector
 */
function below(element, selector) {
  return query_pierced(element, shadow_roots(element).roots, selector);
}
