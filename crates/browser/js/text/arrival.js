// Decides whether all keys of a text, or the text itself, have arrived in the document.

import { note_begun } from '../action/begun.js';

/** Characters that no key types. They are inserted as by an input method. */
const WITHOUT_KEY = /[^\x20-\x7e\n\t]/gu;
const WITH_KEY = /[\x20-\x7e\n\t]/g;

/** How long the release of the last key may take, in milliseconds. Another document receives it if the focus moves. */
const RELEASE = 150;

/**
 * Returns whether everything that was sent has arrived: every key and every character without a key if it was typed,
 * the text if it was inserted.
 *
 * @param {import('./entry.js').Entry} entry
 * @param {string} text
 * @param {boolean} typed
 * @returns {boolean}
 */
export function has_arrived({ keys, inserted }, text, typed) {
  const sent = text.replace(/\r\n?/g, '\n');
  if (!typed) return without_lines(inserted) === without_lines(sent);
  return keys === sent.replace(WITHOUT_KEY, '') && inserted.replace(WITH_KEY, '') === sent.replace(WITH_KEY, '');
}

/**
 * Waits until everything has arrived, or the document is about to be replaced, or the timeout passes.
 *
 * @param {import('./entry.js').Entry} entry
 * @param {{text: string, typed: boolean, timeout_ms: number, act: string}} sent
 * @returns {Promise<void>}
 */
export function arrival(entry, { text, typed, timeout_ms, act }) {
  if (timeout_ms <= 0) return Promise.resolve();
  return new Promise((done) => {
    const shortest = typed ? text.replace(/\r\n?/g, '\n').replace(WITHOUT_KEY, '').length : 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let release;
    const end = setTimeout(finish, timeout_ms);
    entry.notice = look;
    entry.abandon = finish;
    entry.departure.begun.then(finish);
    look();

    function look() {
      if (entry.keys.length < shortest || !has_arrived(entry, text, typed)) return;
      if (!entry.departure.has_begun()) note_begun(act, {});
      if (entry.released >= shortest) finish();
      else release ??= setTimeout(finish, RELEASE);
    }

    function finish() {
      clearTimeout(end);
      clearTimeout(release);
      entry.notice = null;
      entry.abandon = null;
      done();
    }
  });
}

/** @param {string} text */
function without_lines(text) {
  return text.replace(/[\r\n]+/g, '');
}
