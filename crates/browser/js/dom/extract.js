import { refuse } from '../answer/answer.js';
import { within_bytes } from '../answer/within_bytes.js';
import { refuse_unparsable } from '../extract/check.js';
import { finder } from '../extract/finder.js';
import { LIMITS, Ledger } from '../extract/ledger.js';
import { node_reader } from '../extract/read_node.js';
import { read_all, record_reader } from '../extract/record_reader.js';
import { document_title, document_url } from '../native/document.js';
import { text_fits } from '../reading/text_fits.js';
import { document_roots } from '../tree/document_roots.js';

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
  const pierce = document_roots({ fresh: true }).roots.length > 0;
  const vast = !text_fits(document, LIMITS.total_chars);
  /** @type {[string, unknown][]} */
  const records = [];
  for (const item of extract) {
    records.push([item.id, read_item(item, { ledger, pierce, vast })]);
    if (ledger.overflow) return refuse_overflow(ledger.overflow);
  }
  const { selector_counts, missing_required_fields } = ledger;
  return within_bytes(
    {
      records: Object.fromEntries(records),
      selector_counts,
      missing_required_fields,
      url: document_url(document),
      title: document_title(document),
    },
    max_payload_bytes,
    { selector_counts, narrowing_hints: HINTS },
  );
}

/**
 * @param {ExtractItem} item
 * @param {import('../extract/read_node.js').Reading} reading
 */
function read_item(item, reading) {
  const { ledger, pierce } = reading;
  const many = item.many !== false;
  const { nodes, value } = finder(item, { many: true, pierce })(document);
  ledger.counter(item.id)(nodes.length);
  if (value !== undefined) return many ? [value] : value;
  const path = `${item.id}.*`;
  const read_record = item.fields ? record_reader(item.fields, reading, path) : null;
  const read_text = node_reader({}, reading, path);
  const found = read_all(
    many ? nodes : nodes.slice(0, 1),
    (node) => {
      ledger.record(path);
      if (ledger.overflow) return null;
      return read_record && (node instanceof Element || node instanceof Document) ? read_record(node) : read_text(node);
    },
    ledger,
  );
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
