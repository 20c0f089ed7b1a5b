import { find } from './find.js';
import { read_node } from './read_node.js';

/**
 * @typedef {object} Reading
 * @property {import('./ledger.js').Ledger} ledger
 * @property {boolean} pierce whether the document has shadow roots
 */

/**
 * Reads the fields of one record.
 *
 * @param {Document | Element} base
 * @param {Record<string, ExtractField>} fields
 * @param {Reading} reading
 * @param {{place: string, path: string}} at the place of this record, with its index, and the path of its kind
 * @returns {Record<string, unknown>}
 */
export function read_fields(base, fields, reading, at) {
  /** @type {Record<string, unknown>} */
  const record = Object.create(null);
  for (const name in fields) {
    if (reading.ledger.overflow) break;
    const field = /** @type {ExtractField} */ (fields[name]);
    record[name] = read_field(base, field, reading, { place: `${at.place}.${name}`, path: `${at.path}.${name}` });
  }
  return record;
}

/**
 * @param {Document | Element} base
 * @param {ExtractField} field
 * @param {Reading} reading
 * @param {{place: string, path: string}} at
 * @returns {unknown}
 */
function read_field(base, field, reading, at) {
  const { ledger, pierce } = reading;
  const many = field.many === true;
  ledger.value(at.place);
  const { nodes, value } = find(base, field, { many, pierce });
  if (field.selector !== undefined || field.xpath !== undefined) ledger.count(at.path, nodes.length);
  const found = value ?? (many ? all_values() : one_value());
  const empty = found === null || found === undefined || (Array.isArray(found) && found.length === 0);
  const blank = found === '' && field.required === true;
  if (!empty && !blank) return found;
  if (field.required) ledger.missing(at.place);
  return field.default !== undefined ? field.default : (found ?? null);

  function one_value() {
    const [node] = nodes;
    return node === undefined ? null : read_one(node, field, reading, at);
  }

  function all_values() {
    return nodes.map((node, index) => read_one(node, field, reading, { ...at, place: `${at.place}.${index}` }));
  }
}

/**
 * @param {Node} node
 * @param {ExtractField} field
 * @param {Reading} reading
 * @param {{place: string, path: string}} at
 * @returns {unknown}
 */
function read_one(node, field, reading, at) {
  if (reading.ledger.overflow) return null;
  if (field.fields) {
    const base = node instanceof Element || node instanceof Document ? node : null;
    return base && read_fields(base, field.fields, reading, at);
  }
  const value = read_node(node, field, reading.ledger, at.place);
  return field.trim && typeof value === 'string' ? value.trim() : value;
}
