// `text.selection`: reports the length of the selected text.

import { ok } from '../answer/answer.js';
import { active_element } from '../focus/active_element.js';
import { selected_text } from './selected_text.js';

/**
 * Returns how much text is selected.
 */
export function text_selection() {
  return ok({ selected_length: selected_text(active_element()).length });
}
