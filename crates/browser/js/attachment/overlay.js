// The overlay that an attachment opens: a document of the map in a sandboxed frame, which can run no script and reach
// neither the page nor the driver.

import { attachment_stage } from './layer.js';

/** @type {HTMLElement | null} */
let shown = null;

/**
 * Shows an overlay in place of the one before it.
 *
 * @param {{title: string, html: string, width?: number, height?: number}} content
 * @param {boolean} on_dark whether the page is dark
 * @param {() => void} closed called when a person closes it
 * @returns {HTMLIFrameElement} the frame that shows the document
 */
export function show_overlay({ title, html, width, height }, on_dark, closed) {
  close_overlay();
  const overlay = document.createElement('section');
  overlay.className = on_dark ? 'overlay on_dark' : 'overlay';
  overlay.setAttribute('role', 'dialog');
  overlay.setAttribute('aria-label', title);
  if (width) overlay.style.setProperty('width', `min(${width}px, calc(100vw - 32px))`);
  if (height) overlay.style.setProperty('height', `min(${height}px, calc(100vh - 32px))`);
  const header = document.createElement('header');
  make_movable(overlay, header);
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
  return frame;
}

/** Takes the overlay away, and returns whether there was one. */
export function close_overlay() {
  const was_shown = shown?.isConnected === true;
  shown?.remove();
  shown = null;
  return was_shown;
}

/**
 * Lets a person move the overlay by its header, within the viewport.
 *
 * @param {HTMLElement} overlay
 * @param {HTMLElement} header
 */
function make_movable(overlay, header) {
  header.addEventListener('pointerdown', (event) => {
    if (!event.isTrusted || event.target instanceof HTMLButtonElement) return;
    const box = overlay.getBoundingClientRect();
    const [left, top] = [event.clientX - box.left, event.clientY - box.top];
    header.setPointerCapture(event.pointerId);
    const move = (/** @type {PointerEvent} */ to) => {
      const within = (/** @type {number} */ at, /** @type {number} */ room) => Math.max(0, Math.min(at, room));
      overlay.style.setProperty('left', `${within(to.clientX - left, innerWidth - box.width)}px`);
      overlay.style.setProperty('top', `${within(to.clientY - top, innerHeight - box.height)}px`);
      overlay.style.setProperty('right', 'auto');
      overlay.style.setProperty('bottom', 'auto');
    };
    header.addEventListener('pointermove', move);
    header.addEventListener('lostpointercapture', () => header.removeEventListener('pointermove', move), { once: true });
  });
}
