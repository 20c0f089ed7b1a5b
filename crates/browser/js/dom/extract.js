// `dom.extract`: reads records from the page.

import { refuse } from '../answer/answer.js';
import { within_bytes } from '../answer/within_bytes.js';
import { refuse_unparsable } from '../extract/check.js';
import { finder } from '../extract/finder.js';
import { document_of } from '../extract/frames.js';
import { LIMITS, Ledger } from '../extract/ledger.js';
import { node_reader } from '../extract/read_node.js';
import { read_all, record_reader } from '../extract/record_reader.js';
import { refuse_to_call_empty } from '../locator/unreachable.js';
import { document_title, document_url } from '../native/document.js';
import { text_fits } from '../reading/text_fits.js';
import { document_roots } from '../tree/document_roots.js';
import { shadow_roots } from '../tree/shadow_roots.js';

const HINTS = ['use a narrower selector', 'read fewer fields', 'split the extraction', 'raise the limit'];

/**
 * Reads several kinds of records in one call, described with the field grammar of state projections. It also reads
 * frames of the same origin. `elsewhere` lists the items in frames that this document cannot access.
 *
 * @param {{extract: ExtractItem[], max_records?: number, max_payload_bytes?: number}} args
 * @param {Call} call
 */
export function dom_extract({ extract, max_records = 1_000, max_payload_bytes = 48_000 }, call) {
  const bad = refuse_unparsable(extract);
  if (bad) return bad;
  const ledger = new Ledger(max_records);
  /** @type {Map<Document, import('../extract/read_node.js').Reading>} */
  const readings = new Map();
  /** @type {[string, unknown][]} */
  const records = [];
  /** @type {string[]} */
  const elsewhere = [];
  for (const item of extract) {
    const place = document_of(item, call);
    if ('error' in place) return place;
    if (!place.ok) {
      elsewhere.push(item.id);
      continue;
    }
    const reading = readings.get(place.ok) ?? reading_of(place.ok, ledger);
    readings.set(place.ok, reading);
    records.push([item.id, read_item(item, place.ok, reading)]);
    if (ledger.overflow) return refuse_overflow(ledger.overflow);
    const empty = place.ok === document && ledger.selector_counts[item.id] === 0;
    const doubt = empty ? refuse_to_call_empty(call, { extract: item.id }) : null;
    if (doubt) return doubt;
  }
  const { selector_counts, missing_required_fields } = ledger;
  return within_bytes(
    {
      records: Object.fromEntries(records),
      selector_counts,
      missing_required_fields,
      url: document_url(document),
      title: document_title(document).slice(0, 1_000),
      elsewhere,
    },
    max_payload_bytes,
    { selector_counts, narrowing_hints: HINTS },
  );
}

/**
 * @param {Document} of
 * @param {Ledger} ledger
 * @returns {import('../extract/read_node.js').Reading}
 */
function reading_of(of, ledger) {
  const { roots } = of === document ? document_roots({ fresh: true }) : shadow_roots(of);
  return { ledger, pierce: roots.length > 0, vast: !text_fits(of, LIMITS.total_chars) };
}

/**
 * @param {ExtractItem} item
 * @param {Document} within
 * @param {import('../extract/read_node.js').Reading} reading
 */
function read_item(item, within, reading) {
  const { ledger, pierce } = reading;
  const many = item.many !== false;
  const { nodes, value } = finder(item, { many: true, pierce })(within);
  ledger.counter(item.id)(nodes.length);
  if (value !== undefined) return many ? [value] : value;
  const path = many ? `${item.id}.*` : item.id;
  const read_record = item.fields ? record_reader(item.fields, reading, path) : node_reader({}, reading, path);
  /** @param {Node} node */
  const read = (node) => {
    ledger.record(path);
    if (ledger.overflow) return null;
    return read_record(node);
  };
  if (many) return read_all(nodes, read, ledger, path);
  return nodes[0] ? read(nodes[0]) : null;
}

/** @param {NonNullable<Ledger['overflow']>} overflow */
function refuse_overflow({ path, limit, max }) {
  return refuse('payload_too_large', `\`${path}\` exceeds the limit \`${limit}\` of ${max}`, {
    path,
    limit,
    max,
    narrowing_hints: HINTS,
  });
}
