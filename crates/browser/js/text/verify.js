// `text.verify`: checks that an element contains the text that was entered, or at least that all of it arrived.

import { ok } from '../answer/answer.js';
import { end_begun } from '../action/begun.js';
import { transparency } from '../facts/transparency.js';
import { editing_kind } from '../form/editable.js';
import { boxes } from '../geometry/boxes.js';
import { visible_parts } from '../geometry/visible_parts.js';
import { active_element } from '../focus/active_element.js';
import { has_focus } from '../native/document.js';
import { bounding_rect, element_matches } from '../native/element.js';
import { is_connected } from '../native/node.js';
import { cut_text } from '../reading/cut_text.js';
import { reaction } from '../wait/reaction.js';
import { until } from '../wait/until.js';
import { arrival, has_arrived } from './arrival.js';
import { content_now, end_entry, entry_of, is_blank, refuse_lost } from './entry.js';
import { expected_text, is_same_text } from './same_text.js';

/** How long an editor may take to show what it was given, in milliseconds. */
const RENDERING = 300;

/** A colour that cannot be seen. */
const CLEAR = /^rgba\(.*, 0\)$/;

/** How much of a text an answer contains. */
const MAX_SHOWN = 10_000;

/**
 * @typedef {object} VerifyArgs
 * @property {number} token
 * @property {string} text
 * @property {boolean} [typed] whether it was typed key by key
 * @property {boolean} [reformats] whether the element may show something else than was entered
 * @property {number} [selected_back] how many characters before the caret were selected before typing
 * @property {string} [act] the name under which `action.begun` waits until all of it has arrived
 * @property {number} [timeout_ms] how long to wait for the input; 0 when it was delivered already
 */

/**
 * Waits until the input has arrived and the page has reacted to it, then compares the content of the element with the
 * content it should have. The value of a password field is not returned.
 *
 * The driver makes this call before it sends the input. The call then answers even if the input makes the page load
 * another document.
 *
 * @param {VerifyArgs} args
 */
export async function text_verify({ act = '', ...args }) {
  try {
    return await verify(args, act);
  } finally {
    end_begun(act);
  }
}

/**
 * @param {VerifyArgs} args
 * @param {string} act
 */
async function verify({ token, text, typed = false, reformats = false, selected_back = 0, timeout_ms = 0 }, act) {
  const entry = entry_of(token);
  if (!entry) return refuse_lost();
  const { element, departure } = entry;
  await arrival(entry, { text, typed, timeout_ms, act });
  const wanted = expected_text(entry, text, selected_back);
  // A field that shows a template once it has the focus may take the text in its place.
  const entries = [entry, ...(entry.earlier ? [{ ...entry, ...entry.earlier }] : [])];
  const holds = () => {
    const now = content_now(element);
    return now !== null && entries.some((each) => is_same_text(each, now, expected_text(each, text, selected_back), text));
  };
  await reaction(departure);
  const waits = !reformats && !departure.has_begun() && content_now(element) !== null && !holds_nothing(entry);
  if (waits && !holds()) {
    await Promise.race([until(RENDERING, () => (holds() ? true : null)), departure.begun]);
    await reaction(departure);
  }
  const now = content_now(element);
  const shown = is_secret(element) ? null : now;
  end_entry(entry);
  return ok({
    readable: now !== null,
    exact: now !== null && now === wanted,
    holds: holds(),
    arrived: has_arrived(entry, text, typed),
    strayed: entry.strayed,
    holds_nothing: holds_nothing(entry),
    untouched: is_untouched(entry),
    had_text: entry.before !== null && entry.before !== '',
    text: shown === null ? null : cut_text(shown, MAX_SHOWN),
    wanted: shown === null ? null : cut_text(wanted ?? text, MAX_SHOWN),
    keys: entry.keys.length,
    value_length: now?.length ?? 0,
    connected: is_connected(element),
  });
}

/**
 * Returns whether a text area passes every key on and keeps none, as that of a terminal does: it was blank whenever a key
 * arrived, and no person can see it. A text area in view that empties itself has lost what was typed.
 *
 * @param {import('./entry.js').Entry} entry
 */
function holds_nothing({ element, before, held }) {
  if (editing_kind(element) !== 'lines' || held) return false;
  return is_blank(before) && is_blank(content_now(element)) && is_unseen(element);
}

/**
 * Returns whether nothing of the input has reached this document, or a frame in it.
 *
 * @param {import('./entry.js').Entry} entry
 */
function is_untouched({ keys, inserted }) {
  const active = active_element();
  return keys === '' && inserted === '' && has_focus(document) && !(active && element_matches(active, 'iframe, frame'));
}

/** @param {Element} element */
function is_unseen(element) {
  const { width, height } = bounding_rect(element);
  if (width <= 1 || height <= 1 || visible_parts(element, boxes(element)).parts.length === 0) return true;
  if (transparency(element).some(({ reason }) => reason === 'opacity_zero')) return true;
  const { color, backgroundColor } = getComputedStyle(element);
  return CLEAR.test(color) && CLEAR.test(backgroundColor);
}

/** @param {Element} element */
function is_secret(element) {
  return element instanceof HTMLInputElement && element.type === 'password';
}
