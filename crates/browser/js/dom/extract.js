import { refuse } from '../answer/answer.js';
import { within_bytes } from '../answer/within_bytes.js';
import { refuse_unparsable } from '../extract/check.js';
import { find } from '../extract/find.js';
import { Ledger } from '../extract/ledger.js';
import { read_fields } from '../extract/read_fields.js';
import { read_node } from '../extract/read_node.js';
import { document_title, document_url } from '../native/document.js';
import { shadow_roots } from '../tree/shadow_roots.js';

const HINTS = ['use a narrower selector', 'read fewer fields', 'split the extraction', 'raise the limit'];

/**
 * Reads records from the page by the field grammar of state projections; several kinds of records in one call.
 *
 * @param {{extract: ExtractItem[], max_records?: number, max_payload_bytes?: number}} args
 */
export function dom_extract({ extract, max_records = 1_000, max_payload_bytes = 48_000 }) {
  const bad = refuse_unparsable(extract);
  if (bad) return bad;
  const ledger = new Ledger(max_records);
  const pierce = shadow_roots(document).roots.length > 0;
  /** @type {Record<string, unknown>} */
  const records = Object.create(null);
  for (const item of extract) {
    records[item.id] = read_item(item, { ledger, pierce });
    if (ledger.overflow) return refuse_overflow(ledger.overflow);
  }
  const { selector_counts, missing_required_fields } = ledger;
  return within_bytes(
    { records, selector_counts, missing_required_fields, url: document_url(document), title: document_title(document) },
    max_payload_bytes,
    { selector_counts, narrowing_hints: HINTS },
  );
}

/**
 * @param {ExtractItem} item
 * @param {import('../extract/read_fields.js').Reading} reading
 */
function read_item(item, reading) {
  const many = item.many !== false;
  const { nodes, value } = find(document, item, { many: true, pierce: reading.pierce });
  reading.ledger.count(item.id, nodes.length);
  if (value !== undefined) return many ? [value] : value;
  const wanted = many ? nodes : nodes.slice(0, 1);
  /** @type {unknown[]} */
  const found = [];
  for (const [index, node] of wanted.entries()) {
    if (reading.ledger.overflow) break;
    const at = { place: `${item.id}.${index}`, path: item.id };
    const base = node instanceof Element || node instanceof Document ? node : null;
    reading.ledger.record(at.place);
    found.push(
      item.fields && base ? read_fields(base, item.fields, reading, at) : read_node(node, {}, reading.ledger, at.place),
    );
  }
  return many ? found : (found[0] ?? null);
}

/** @param {NonNullable<Ledger['overflow']>} overflow */
function refuse_overflow({ path, limit, max }) {
  return refuse('payload_too_large', `\`${path}\` goes over the limit of ${max} (${limit})`, {
    path,
    limit,
    max,
    narrowing_hints: HINTS,
  });
}
