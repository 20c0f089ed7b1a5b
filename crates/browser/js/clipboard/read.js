// `clipboard.read`: reads the clipboard of the browser.

import { ok, refuse } from '../answer/answer.js';

/**
 * Returns the plain text on the clipboard, and with `rich` its HTML too, unchanged.
 *
 * @param {{max_chars?: number, rich?: boolean}} args
 */
export async function clipboard_read({ max_chars = Infinity, rich = false }) {
  const clipboard = navigator.clipboard;
  if (!clipboard) return refuse_insecure('clipboard_read_denied');
  try {
    const { text, html } = rich ? await contents(clipboard) : { text: await clipboard.readText(), html: '' };
    const length = Array.from(text).length;
    if (length > max_chars) {
      return refuse('payload_too_large', `the clipboard holds ${length} characters; ${max_chars} are allowed`, {
        length,
        limit: max_chars,
        hint: 'raise `max_chars`',
      });
    }
    return ok({ text, html, length });
  } catch (error) {
    return refuse_denied('clipboard_read_denied', error);
  }
}

/** @param {Clipboard} clipboard */
async function contents(clipboard) {
  const found = { text: '', html: '' };
  const unsanitized = /** @type {any} */ ({ unsanitized: ['text/html'] });
  for (const item of await /** @type {any} */ (clipboard).read(unsanitized)) {
    if (item.types.includes('text/plain')) found.text = await (await item.getType('text/plain')).text();
    if (item.types.includes('text/html')) found.html = await (await item.getType('text/html')).text();
  }
  return found;
}

/**
 * The refusal on a page that browsers let use no clipboard at all.
 *
 * @param {string} code
 */
export function refuse_insecure(code) {
  return refuse(code, 'the page may not use the clipboard, because it did not come over a secure connection');
}

/**
 * @param {string} code
 * @param {unknown} error
 */
export function refuse_denied(code, error) {
  const reason = error instanceof Error ? error.message : String(error);
  return refuse(code, `the browser does not let this page use the clipboard: ${reason}`);
}
