// `overlay.open`, `overlay.register_launcher` and `overlay.close`: windows over the page, and the buttons that open them.

import { ok } from '../answer/answer.js';
import { remove_empty_layer } from '../attachment/layer.js';
import { close_overlay, show_overlay } from '../attachment/overlay.js';
import { add_attachments, is_dark } from '../attachment/sync.js';
import { choose } from '../locator/choose.js';
import { document_element, document_url } from '../native/document.js';
import { listen } from '../native/node.js';
import { cut_text } from '../reading/cut_text.js';
import { visible_text } from '../reading/visible_text.js';

/** How long the document may take to load, in milliseconds. What it loads from elsewhere may never come. */
const LOADING = 2_000;

/**
 * @typedef {object} Launcher
 * @property {string} id
 * @property {string} label
 * @property {Locator} locator
 * @property {'beforebegin' | 'afterbegin' | 'beforeend' | 'afterend'} placement
 * @property {number} max_instances
 * @property {string} [url_contains]
 * @property {string} [url_matches] `*` stands for anything
 *
 * @typedef {{overlay_id: string, title: string, html: string, width: number, height: number, launchers: Launcher[]}} OverlayArgs
 */

/**
 * Shows a document in a window over the page, in place of the one before it, and installs its launchers.
 *
 * @param {OverlayArgs} args
 */
export async function overlay_open(args) {
  const answer = overlay_launch(args);
  if ('error' in answer) return answer;
  const frame = show_overlay(args, is_dark(document_element(document)), () => {});
  await new Promise((done) => {
    listen(frame, 'load', done, { once: true });
    setTimeout(done, LOADING);
  });
  return answer;
}

/**
 * Installs launchers: buttons beside elements of the page, now or when the elements appear.
 *
 * @param {OverlayArgs} args
 */
export function overlay_launch({ overlay_id, launchers, ...opens }) {
  for (const { locator } of launchers) {
    const chosen = choose(locator, { nodes: [] }, { explain: false });
    if ('error' in chosen && chosen.error.code === 'invalid_selector') return chosen;
  }
  const here = launchers.filter(is_for_this_page);
  const standing = add_attachments(here.map((launcher) => as_attachment(launcher, opens)));
  const installed = standing.flatMap(({ id, targets }) =>
    targets.map((target) => ({
      launcher_id: id,
      placement: launchers.find((launcher) => launcher.id === id)?.placement ?? 'afterend',
      target_text: cut_text(visible_text(target, { max_chars: 240, max_nodes: 2_000 }).text, 240),
    })),
  );
  return ok({ overlay_id, launchers: installed });
}

/** Takes the window away; launchers stay. */
export function overlay_close() {
  const closed = close_overlay();
  remove_empty_layer();
  return ok({ closed });
}

/** @param {Launcher} launcher */
function is_for_this_page({ url_contains, url_matches }) {
  const url = document_url(document);
  if (url_contains !== undefined && !url.includes(url_contains)) return false;
  return url_matches === undefined || fits_glob(url_matches.toLowerCase(), url.toLowerCase());
}

/**
 * Compares in time linear in both texts: each part between two stars is looked for behind the one before.
 *
 * @param {string} glob
 * @param {string} text
 */
function fits_glob(glob, text) {
  const [first = '', ...rest] = glob.split('*');
  const last = rest.pop();
  if (last === undefined) return text === glob;
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
}

/**
 * @param {Launcher} launcher
 * @param {{title: string, html: string, width: number, height: number}} opens
 */
function as_attachment({ id, label, locator, placement, max_instances }, opens) {
  return {
    ...{ id, kind: 'overlay_launcher', label, locator, placement, max_instances, opens },
    ...{ key: null, removes: true, reattaches: true },
  };
}
