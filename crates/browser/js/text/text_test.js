import { accessible_name } from '../aria/name.js';
import { attribute, first_element, has_attribute } from '../native/element.js';
import { comparable_text } from './comparable_text.js';
import { text_within } from './text_within.js';
import { visible_text } from './visible_text.js';

/** The longest text of one element that is compared, and the most text one search looks through. */
const MAX_ELEMENT_CHARS = 2_000_000;
const MAX_SEARCH_CHARS = 40_000_000;

/** What can give an element, or something in it, a name other than its text. */
const NAMING =
  '[aria-label], [aria-labelledby], [alt], [title], [placeholder], [aria-owns], input, select, textarea, meter, progress, svg title';

/**
 * Makes a test of elements against the text predicates of a locator. The visible text, the accessible name, the title
 * and the value are compared each on its own.
 *
 * @param {Pick<Locator, 'text' | 'text_equals' | 'text_contains'>} locator
 * @param {boolean} pierce whether there are shadow roots to enter
 * @returns {{test: (element: Element, thorough: boolean) => boolean, skipped: () => number} | null} null when the
 *   locator has no text predicate; a thorough test also works out names that only style sheets can change
 */
export function text_test(locator, pierce) {
  const parts = [locator.text, locator.text_contains].filter((text) => text !== undefined).map(comparable_text);
  const whole = locator.text_equals === undefined ? null : comparable_text(locator.text_equals);
  if (parts.length === 0 && whole === null) return null;

  /** @param {string} text */
  const fits = (text) => (whole === null || text === whole) && parts.every((part) => text.includes(part));
  const squeezed = [...parts, ...(whole === null ? [] : [whole])].map(squeeze);
  let searched = 0;
  let skipped = 0;

  /** @param {Element} element */
  const may_show = (element) => {
    const text = text_within(element, pierce, Math.min(MAX_ELEMENT_CHARS, MAX_SEARCH_CHARS - searched));
    if (text === null) {
      skipped += 1;
      return false;
    }
    searched += text.length;
    const seen = squeeze(text);
    return squeezed.every((needle) => seen.includes(needle));
  };

  /** @param {Element} element */
  const shows = (element) => {
    const { text, painted } = visible_text(element, { max_chars: MAX_ELEMENT_CHARS });
    return fits(comparable_text(text)) || (painted !== null && fits(comparable_text(painted)));
  };

  /**
   * @param {Element} element
   * @param {boolean} thorough
   */
  const test = (element, thorough) => {
    const title = attribute(element, 'title');
    if (title !== null && fits(comparable_text(title))) return true;
    const value = told_value(element);
    if (value !== null && fits(comparable_text(value))) return true;
    if (may_show(element) && shows(element)) return true;
    return (thorough || may_be_named(element)) && fits(comparable_text(accessible_name(element)));
  };
  return { test, skipped: () => skipped };
}

/**
 * Drops everything that visible text may have more or less of than the document, letter case included.
 *
 * @param {string} text
 */
function squeeze(text) {
  return text.replace(/[\s\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]+/g, '').toLowerCase();
}

/**
 * Gives the value of a control for comparison; never that of a password.
 *
 * @param {Element} element
 */
function told_value(element) {
  if (element instanceof HTMLInputElement) return element.type === 'password' ? null : element.value;
  if (element instanceof HTMLTextAreaElement || element instanceof HTMLButtonElement) return element.value;
  return attribute(element, 'value');
}

/** @param {Element} element */
function may_be_named(element) {
  return (
    ['aria-label', 'aria-labelledby', 'alt', 'placeholder'].some((name) => has_attribute(element, name)) ||
    /** @type {{labels?: unknown}} */ (element).labels instanceof NodeList ||
    first_element(element, NAMING) !== null
  );
}
