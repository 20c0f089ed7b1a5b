// `clipboard.paste`: gives an element a content as a paste does.

import { ok, refuse } from '../answer/answer.js';
import { show } from '../action/scroll_to.js';
import { describe, target_label } from '../facts/describe.js';
import { is_rendered } from '../facts/is_rendered.js';
import { active_element } from '../focus/active_element.js';
import { give_focus, holds_focus } from '../focus/give_focus.js';
import { control_of } from '../form/control_of.js';
import { editing_host, editing_kind, not_editable_reason, takes_keys } from '../form/editable.js';
import { await_choice } from '../locator/await_choice.js';
import { capture_method } from '../native/capture.js';
import { document_body } from '../native/document.js';
import { check_visibility } from '../native/element.js';
import { dispatch, is_connected } from '../native/node.js';
import { content_now } from '../text/entry.js';
import { place_caret } from '../text/place_caret.js';
import { composed_contains } from '../tree/composed_contains.js';
import { watch_departure } from '../wait/departure.js';
import { reaction } from '../wait/reaction.js';
import { until } from '../wait/until.js';
import { markup_of, safe_markup, text_of_markup } from './markup.js';

/** How long an editor may take to show what it was given, in milliseconds. */
const RENDERING = 500;

const exec_command = capture_method(Document.prototype, 'execCommand');

/**
 * Finds and focuses an element and sends it a paste event with the content. If the page does not handle the event, the
 * content is inserted at the caret in place of the selection, as the browser does with a paste.
 *
 * @param {{locator?: Locator, text?: string, html?: string, deadline_ms?: number}} args
 * @param {Call} call
 */
export async function clipboard_paste({ locator, text, html, deadline_ms = 0 }, call) {
  const chosen = locator ? await await_choice(locator, call, deadline_ms, (element) => is_ready(field_of(element))) : focused();
  if ('error' in chosen) return chosen;
  const element = field_of(chosen.ok.element);
  const kind = editing_kind(element);
  const reason = not_editable_reason(element);
  const is_reachable = reason === 'not_a_text_field' && (!locator || takes_keys(element));
  if (kind === 'value' || (reason && !is_reachable)) return refuse_paste(element, reason ?? 'not_a_text_field');
  if (locator) show(element);
  const host = editing_host(element);
  const held_focus = holds_focus(host);
  if (!held_focus && host !== document_body(document) && !give_focus(host)) return refuse_paste(element, 'focus_not_taken');
  if (kind === 'line' || kind === 'lines' || kind === 'content') place_caret(element, kind, 'append', held_focus);
  const plain = text ?? text_of_markup(html ?? '');
  const markup = html ?? markup_of(plain);
  const departure = watch_departure();
  try {
    const handled = send(receiver_of(element), plain, markup);
    if (!handled && kind === null) return refuse_unheard(element, Boolean(locator));
    if (!handled) {
      insert(element, kind, plain, html);
      await reaction(departure);
      const holds = () => holds_text(element, plain) || null;
      const seen = await Promise.race([until(RENDERING, holds), departure.begun.then(() => true)]);
      if (!seen) return refuse_lost_paste(element);
    } else {
      await reaction(departure);
    }
    return ok({
      inserted_length: Array.from(plain).length,
      default_prevented: handled,
      target_kind: locator ? 'locator' : 'focused',
    });
  } finally {
    departure.stop();
  }
}

/** @param {Element} matched */
function field_of(matched) {
  return control_of(matched, (element) => editing_kind(element) !== null);
}

/**
 * Returns whether an element can take a paste: a text field, an editor, or an element that takes keys.
 *
 * @param {Element} element
 */
function is_ready(element) {
  const reason = not_editable_reason(element);
  if (reason && !(reason === 'not_a_text_field' && takes_keys(element))) return false;
  return is_rendered(element) || check_visibility(element, { visibilityProperty: true });
}

/** @returns {{ok: {element: Element}} | Refusal} */
function focused() {
  const element = active_element();
  return element ? { ok: { element } } : refuse('no_paste_target', 'nothing on the page has the focus');
}

/**
 * Returns the element that would receive a real paste: the one inside the target that has the focus, such as the hidden
 * text area of an editor.
 *
 * @param {Element} element
 * @returns {Element}
 */
function receiver_of(element) {
  const active = active_element();
  if (!active || editing_kind(element) !== null || active === document_body(document)) return element;
  return composed_contains(element, active) ? active : element;
}

/**
 * Sends the paste event and returns whether the page handled it.
 *
 * @param {Element} receiver
 * @param {string} text
 * @param {string} markup
 */
function send(receiver, text, markup) {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', text);
  if (markup !== '') clipboardData.setData('text/html', markup);
  const event = new ClipboardEvent('paste', { bubbles: true, cancelable: true, composed: true, clipboardData });
  return !dispatch(receiver, event);
}

/**
 * Inserts the content as the browser does: markup into editable content, in a form that runs no script, and plain text
 * anywhere else.
 *
 * @param {Element} element
 * @param {'line' | 'lines' | 'content' | null} kind
 * @param {string} text
 * @param {string | undefined} html
 */
function insert(element, kind, text, html) {
  const is_rich = kind === 'content' && /** @type {HTMLElement} */ (element).contentEditable !== 'plaintext-only';
  const markup = html !== undefined && is_rich ? safe_markup(html) : '';
  if (markup !== '') exec_command(document, 'insertHTML', false, markup);
  else exec_command(document, 'insertText', false, kind === 'line' ? text.replace(/\r\n?|\n/g, ' ') : text);
}

/**
 * Returns whether an element holds a text. White space is not compared: an editor shows rows and paragraphs in its own way.
 *
 * @param {Element} element
 * @param {string} text
 */
function holds_text(element, text) {
  const content = content_now(element);
  return content !== null && without_space(content).includes(without_space(text));
}

/** @param {string} text */
function without_space(text) {
  return text.replace(/[\s\u200b\u2060\ufeff]+/g, '');
}

/**
 * @param {Element} element
 * @param {string} reason
 */
function refuse_paste(element, reason) {
  return refuse('target_not_editable', `\`${target_label(element)}\` takes no paste: ${reason.replaceAll('_', ' ')}`, {
    reason,
    target: describe(element),
  });
}

/**
 * @param {Element} element
 * @param {boolean} is_located
 */
function refuse_unheard(element, is_located) {
  if (!is_located) {
    return refuse('no_paste_target', 'no text field has the focus, and the page did not handle the paste', {
      focused: describe(element),
    });
  }
  return refuse('input_not_received', `\`${target_label(element)}\` is no text field, and the page did not handle the paste`, {
    target: describe(element),
  });
}

/** @param {Element} element */
function refuse_lost_paste(element) {
  const message = is_connected(element)
    ? 'the paste was sent, but the element does not hold the text afterwards'
    : 'the paste was sent, and the element left the document';
  return refuse('input_not_received', message, { target: describe(element), value_length: content_now(element)?.length ?? 0 });
}
