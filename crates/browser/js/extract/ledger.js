// Counts what an extraction reads and enforces its limits.

/** The limits of one call. */
export const LIMITS = {
  /** Characters of one value. */
  value_chars: 200_000,
  /** Characters of all values together. */
  total_chars: 8_000_000,
  /** Values of all records together. */
  values: 1_000_000,
};

/** How many missing fields are listed individually. */
const MAX_MISSING = 200;

/** Counts the matches of each selector, lists missing required fields, and notes when a limit is exceeded. */
export class Ledger {
  /** @type {Record<string, number>} */
  selector_counts = {};
  /** @type {string[]} */
  missing_required_fields = [];
  /** The indices of the records being read, outermost first. @type {number[]} */
  place = [];
  /** The limit that stopped the reading. @type {{path: string, limit: string, max: number} | null} */
  overflow = null;
  #records = 0;
  #values = 0;
  #chars = 0;
  #max_records;

  /** @param {number} max_records the largest number of records, over all items */
  constructor(max_records) {
    this.#max_records = max_records;
  }

  /**
   * Returns a counter for the matches of one item or field.
   *
   * @param {string} path
   * @returns {(matches: number) => void}
   */
  counter(path) {
    const key = path.replaceAll('.*', '');
    const counts = this.selector_counts;
    counts[key] ??= 0;
    return (matches) => {
      counts[key] = (counts[key] ?? 0) + matches;
    };
  }

  /** @param {string} path a path in which `*` stands for each index */
  missing(path) {
    if (this.missing_required_fields.length < MAX_MISSING) this.missing_required_fields.push(this.here(path));
  }

  /** @param {string} path */
  record(path) {
    this.#records += 1;
    if (this.#records > this.#max_records) this.stop(path, 'max_records', this.#max_records);
  }

  /** @param {string} path */
  value(path) {
    this.#values += 1;
    if (this.#values > LIMITS.values) this.stop(path, 'values', LIMITS.values);
  }

  /**
   * Counts a text and returns it, or stops the reading if it is too long.
   *
   * @param {string | null} text
   * @param {string} path
   * @returns {string | null}
   */
  text(text, path) {
    if (text === null) return null;
    if (text.length > LIMITS.value_chars) return this.stop(path, 'value_chars', LIMITS.value_chars);
    this.#chars += text.length;
    if (this.#chars > LIMITS.total_chars) return this.stop(path, 'total_chars', LIMITS.total_chars);
    return text;
  }

  /**
   * Stops the reading because a limit is exceeded.
   *
   * @param {string} path
   * @param {string} limit
   * @param {number} max
   * @returns {null}
   */
  stop(path, limit, max) {
    this.overflow ??= { path: this.here(path), limit, max };
    return null;
  }

  /**
   * Returns a path with the indices of the current record in place of `*`.
   *
   * @param {string} path
   */
  here(path) {
    let level = 0;
    return path.replaceAll('*', () => String(this.place[level++] ?? '*'));
  }
}
