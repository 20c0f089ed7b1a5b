/** How much one call may read. */
export const LIMITS = {
  /** Characters of one value. */
  value_chars: 200_000,
  /** Characters of all values together. */
  total_chars: 8_000_000,
  /** Values of all records together. */
  values: 500_000,
  /** Missing fields that are named one by one. */
  missing: 200,
};

/**
 * Keeps account of what a call reads: how often each selector matched, what was missing, and whether it is too much.
 */
export class Ledger {
  /** @type {Record<string, number>} */
  selector_counts = {};
  /** @type {string[]} */
  missing_required_fields = [];
  records = 0;
  chars = 0;
  values = 0;
  /** Why reading had to stop. @type {{path: string, limit: string, max: number} | null} */
  overflow = null;

  /** @param {number} max_records the most records, all items together */
  constructor(max_records) {
    this.max_records = max_records;
  }

  /**
   * @param {string} path
   * @param {number} matches
   */
  count(path, matches) {
    this.selector_counts[path] = (this.selector_counts[path] ?? 0) + matches;
  }

  /** @param {string} path */
  missing(path) {
    if (this.missing_required_fields.length < LIMITS.missing) this.missing_required_fields.push(path);
  }

  /**
   * Takes a text in, unless that is too much.
   *
   * @param {string} text
   * @param {string} path
   * @returns {string}
   */
  take(text, path) {
    this.chars += text.length;
    if (this.chars > LIMITS.total_chars) this.stop(path, 'total_chars');
    return text;
  }

  /** @param {string} path */
  record(path) {
    this.records += 1;
    if (this.records > this.max_records) this.overflow ??= { path, limit: 'max_records', max: this.max_records };
  }

  /** @param {string} path */
  value(path) {
    this.values += 1;
    if (this.values > LIMITS.values) this.stop(path, 'values');
  }

  /**
   * @param {string} path
   * @param {'value_chars' | 'total_chars' | 'values'} limit
   */
  stop(path, limit) {
    this.overflow ??= { path, limit, max: LIMITS[limit] };
  }
}
