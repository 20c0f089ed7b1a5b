// Compiles the fields of a record into a reader.

import { MAX_FOUND, finder, single_finder } from './finder.js';
import { node_reader } from './read_node.js';

/**
 * @typedef {import('./read_node.js').Reading} Reading
 */

/**
 * Builds a function that reads a record, so that the field grammar is interpreted once and not for every record. A
 * record is an element, the document, or a text or attribute that XPath gave; below the latter no selector matches.
 *
 * @param {Record<string, ExtractField>} fields
 * @param {Reading} reading
 * @param {string} path the path of the record, in which `*` stands for each index
 * @returns {(base: Node) => Record<string, unknown>}
 */
export function record_reader(fields, reading, path) {
  const readers = Object.entries(fields).map(
    ([name, field]) => /** @type {const} */ ([name, field_reader(field, reading, `${path}.${name}`)]),
  );
  const { ledger } = reading;
  return (base) => {
    /** @type {Record<string, unknown>} */
    const record = {};
    for (const [name, read] of readers) {
      if (ledger.overflow) break;
      const value = read(base);
      if (name === '__proto__') Object.defineProperty(record, name, { value, enumerable: true });
      else record[name] = value;
    }
    return record;
  };
}

/**
 * @param {ExtractField} field
 * @param {Reading} reading
 * @param {string} path
 * @returns {(base: Node) => unknown}
 */
function field_reader(field, reading, path) {
  const { ledger } = reading;
  const find = value_finder(field, reading, path);
  const simple = field.required !== true && field.default === undefined;
  return (base) => {
    ledger.value(path);
    const found = find(base);
    if (simple && found !== undefined) return found;
    const empty = found === null || found === undefined || (Array.isArray(found) && found.length === 0);
    const blank = found === '' && field.required === true;
    if (!empty && !blank) return found;
    if (field.required) ledger.missing(path);
    return field.default !== undefined ? field.default : (found ?? null);
  };
}

/**
 * Builds a function that finds and reads the value of a field.
 *
 * @param {ExtractField} field
 * @param {Reading} reading
 * @param {string} path
 * @returns {(base: Node) => unknown}
 */
function value_finder(field, reading, path) {
  const { ledger, pierce } = reading;
  const many = field.many === true;
  const searched = field.selector !== undefined || field.xpath !== undefined;
  const count = searched ? ledger.counter(path) : () => {};
  const single = many ? null : single_finder(field, pierce);
  const read = value_reader(field, reading, many ? `${path}.*` : path);
  if (single) {
    return (base) => {
      const node = single(base);
      count(node ? 1 : 0);
      return node ? read(node) : null;
    };
  }
  const find = finder(field, { many, pierce });
  return (base) => {
    const { nodes, value } = find(base);
    count(nodes.length);
    if (value !== undefined) return value;
    if (many) return read_all(nodes, read, ledger, path);
    return nodes[0] ? read(nodes[0]) : null;
  };
}

/**
 * @param {ExtractField} field
 * @param {Reading} reading
 * @param {string} path
 * @returns {(node: Node) => unknown}
 */
function value_reader(field, reading, path) {
  return field.fields ? record_reader(field.fields, reading, path) : node_reader(field, reading, path);
}

/**
 * Reads every node and keeps the index of the current one in the ledger.
 *
 * @param {Node[]} nodes
 * @param {(node: Node) => unknown} read
 * @param {import('./ledger.js').Ledger} ledger
 * @param {string} path
 * @returns {unknown[]}
 */
export function read_all(nodes, read, ledger, path) {
  const values = [];
  if (nodes.length >= MAX_FOUND) ledger.stop(path, 'matches', MAX_FOUND);
  const level = ledger.place.push(0) - 1;
  for (const [index, node] of nodes.entries()) {
    if (ledger.overflow) break;
    ledger.place[level] = index;
    values.push(read(node));
  }
  ledger.place.pop();
  return values;
}
