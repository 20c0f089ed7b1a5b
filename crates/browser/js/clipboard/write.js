// `clipboard.write`: puts a text on the clipboard of the browser.

import { ok } from '../answer/answer.js';
import { refuse_denied, refuse_insecure } from './read.js';

/**
 * Replaces the content of the clipboard with a plain text. The page receives no event.
 *
 * @param {{text: string}} args
 */
export async function clipboard_write({ text }) {
  const clipboard = navigator.clipboard;
  if (!clipboard) return refuse_insecure('clipboard_write_denied');
  try {
    await clipboard.writeText(text);
    return ok({ written: true, length: Array.from(text).length });
  } catch (error) {
    return refuse_denied('clipboard_write_denied', error);
  }
}
