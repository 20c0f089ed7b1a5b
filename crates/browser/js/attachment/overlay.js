// The overlay that an attachment opens: a document of the map in a sandboxed frame, which can run no script and reach
// neither the page nor the driver.

import { attachment_stage } from './layer.js';

/** @type {HTMLElement | null} */
let shown = null;

/**
 * Shows an overlay in place of the one before it.
 *
 * @param {{title: string, html: string}} content
 * @param {boolean} on_dark whether the page is dark
 * @param {() => void} closed called when a person closes it
 */
export function show_overlay({ title, html }, on_dark, closed) {
  close_overlay();
  const overlay = document.createElement('section');
  overlay.className = on_dark ? 'overlay on_dark' : 'overlay';
  overlay.setAttribute('role', 'dialog');
  overlay.setAttribute('aria-label', title);
  const header = document.createElement('header');
  const heading = document.createElement('span');
  heading.textContent = title;
  const button = document.createElement('button');
  button.textContent = '×';
  button.setAttribute('aria-label', 'Close');
  const close = () => {
    close_overlay();
    closed();
  };
  button.addEventListener('click', close);
  overlay.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    close();
  });
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', '');
  frame.setAttribute('title', title);
  frame.srcdoc = html;
  header.append(heading, button);
  overlay.append(header, frame);
  attachment_stage().append(overlay);
  shown = overlay;
  button.focus({ preventScroll: true });
}

/** Takes the overlay away. */
export function close_overlay() {
  shown?.remove();
  shown = null;
}
