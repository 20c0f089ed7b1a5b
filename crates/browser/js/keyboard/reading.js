// `keyboard.reading`: reads what a screen reader would say after a key.

import { ok, refuse } from '../answer/answer.js';
import { accessible_name } from '../aria/name.js';
import { active_element } from '../focus/active_element.js';
import { held_value } from '../form/held_value.js';
import { attribute } from '../native/element.js';
import { document_body, document_by_id, document_query } from '../native/document.js';
import { node_text } from '../native/node.js';
import { cut_text } from '../reading/cut_text.js';
import { normalize_text } from '../reading/normalize_text.js';
import { compile_pattern } from '../reading/pattern.js';
import { visible_text } from '../reading/visible_text.js';
import { watch_departure } from '../wait/departure.js';
import { reaction } from '../wait/reaction.js';
import { until } from '../wait/until.js';

/** The live region in which editors that draw their text on a canvas say what is at the cursor. */
const SPEAKABLE = '#docs-aria-speakable';

const MAX_CHARS = 1_000;

/**
 * Waits until the page has reacted to a key and says something else than before, or the time is up. Returns what it says,
 * and whether one of the patterns matches. When a frame has the focus, and the page itself says nothing, the driver must
 * ask inside the frame.
 *
 * @param {{before?: string | null, wait_ms?: number, patterns?: string[]}} args
 */
export async function keyboard_reading({ before = null, wait_ms = 0, patterns = [] }) {
  /** @type {((text: string) => boolean)[]} */
  const tests = [];
  for (const pattern of patterns) {
    const compiled = compile_pattern(pattern, false);
    if ('fault' in compiled) {
      return refuse('invalid_input', `\`${cut_text(pattern, 120)}\` is not a regular expression: ${compiled.fault}`, { pattern });
    }
    tests.push(compiled.ok);
  }
  if (wait_ms > 0) {
    const departure = watch_departure();
    await reaction(departure);
    if (!departure.has_begun()) await until(wait_ms, () => (reading_now() === before ? null : true));
    departure.stop();
  }
  const reading = reading_now();
  return ok({
    reading,
    in_frame: reading === '' && is_frame(active_element()),
    matches: tests.some((test) => test(reading)),
  });
}

function reading_now() {
  const speakable = document_query(document, SPEAKABLE);
  const said = speakable ? normalize_text(node_text(speakable) ?? '') : '';
  if (said !== '') return cut_text(said, MAX_CHARS);
  const active = active_element();
  if (!active || is_frame(active)) return '';
  const element = active_descendant(active) ?? active;
  if (element === document_body(document)) return '';
  const text =
    accessible_name(element) || visible_text(element, { max_chars: MAX_CHARS }).text || (held_value(element, MAX_CHARS).value ?? '');
  return cut_text(normalize_text(text), MAX_CHARS);
}

/** @param {Element} element */
function active_descendant(element) {
  const id = attribute(element, 'aria-activedescendant');
  return id ? document_by_id(document, id) : null;
}

/** @param {Element | null} element */
function is_frame(element) {
  return element instanceof HTMLIFrameElement || element instanceof HTMLFrameElement;
}
