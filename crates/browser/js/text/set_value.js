// `text.set_value`: sets fields that cannot be typed into, such as dates, colours and ranges.

import { ok, refuse } from '../answer/answer.js';
import { target_label } from '../facts/describe.js';
import { end_begun, let_answers_leave, note_begun } from '../action/begun.js';
import { editing_kind } from '../form/editable.js';
import { dispatch, is_connected } from '../native/node.js';
import { reaction } from '../wait/reaction.js';
import { end_entry, entry_of, refuse_lost } from './entry.js';

/**
 * Sets the value of a field that only accepts complete values, and fires the `input` and `change` events of a manual
 * choice. Reads the value back after the page has reacted.
 *
 * @param {{token: number, text: string, act?: string}} args
 */
export async function text_set_value({ token, text, act = '' }) {
  try {
    return await set_value_of(token, text, act);
  } finally {
    end_begun(act);
  }
}

/**
 * @param {number} token
 * @param {string} text
 * @param {string} act
 */
async function set_value_of(token, text, act) {
  const entry = entry_of(token);
  if (!entry) return refuse_lost();
  const { element, departure } = entry;
  if (!(element instanceof HTMLInputElement) || editing_kind(element) !== 'value') {
    return refuse('target_not_editable', `\`${target_label(element)}\` does not accept a complete value: type the text instead`, {
      reason: 'typed_text_only',
    });
  }
  const before = element.value;
  element.value = text;
  if (element.value !== text && !(text === '' && element.value !== before)) {
    element.value = before;
    return refuse('input_not_received', `the browser rejects this value for an input of type ${element.type}`, {
      type: element.type,
      hint: 'dates are written 2024-12-31, times 23:59, months 2024-12, weeks 2024-W52, colours #rrggbb',
    });
  }
  if (element.value !== before) {
    note_begun(act, { value_length: element.value.length });
    await let_answers_leave();
    dispatch(element, new Event('input', { bubbles: true, composed: true }));
    dispatch(element, new Event('change', { bubbles: true }));
    await reaction(departure);
  }
  end_entry(entry);
  const holds = element.value === text || (text === '' && element.value !== before);
  return ok({ holds, text: element.value, wanted: text, value_length: element.value.length, connected: is_connected(element) });
}
