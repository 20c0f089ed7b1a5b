// `attachment.sync`: puts the attachments of the maps on the page, takes away those that no longer apply, and says where
// each stands. Between two calls they follow the page: their targets move, go and come back.

import { ok } from '../answer/answer.js';
import { choose } from '../locator/choose.js';
import { attachment_stage, remove_empty_layer } from './layer.js';
import { show_overlay } from './overlay.js';

/**
 * @typedef {object} Wanted an attachment of a map
 * @property {string} id
 * @property {string} kind `overlay_launcher`, `annotation`, `status_badge` or `shortcut`
 * @property {Locator} locator
 * @property {string} label
 * @property {'beforebegin' | 'afterbegin' | 'beforeend' | 'afterend'} placement
 * @property {number} max_instances
 * @property {{title: string, html: string, width?: number, height?: number} | null} opens
 * @property {string | null} key the key of a shortcut, such as `Alt+K`
 * @property {boolean} removes whether it goes with its target
 * @property {boolean} reattaches whether it comes back with its target
 */

/**
 * @typedef {{wanted: Wanted, written: string, shown: {element: HTMLElement, target: Element}[], was_attached: boolean, is_own?: boolean}} Attached
 */

/** The shortest time between two looks at the page, in milliseconds. */
const PAUSE = 120;

/** Kinds that a person can use. */
const USABLE = new Set(['overlay_launcher', 'shortcut']);

/** @type {Map<string, Attached>} */
const attachments = new Map();

/** @type {ReturnType<typeof setTimeout> | undefined} */
let looking;
let is_watching = false;

/** @param {{attachments: Wanted[]}} args */
export function attachment_sync({ attachments: wanted }) {
  for (const [id, attached] of attachments) {
    const still = wanted.find((one) => one.id === id);
    if (attached.is_own || (still && JSON.stringify(still) === attached.written)) continue;
    attached.shown.forEach(({ element }) => element.remove());
    attachments.delete(id);
  }
  for (const one of wanted) {
    if (attachments.has(one.id)) continue;
    attachments.set(one.id, { wanted: one, written: JSON.stringify(one), shown: [], was_attached: false });
  }
  if (wanted.length > 0) watch();
  look();
  const standing = [...attachments.values()].filter(({ is_own }) => !is_own).map(({ wanted: { id }, shown, was_attached }) => {
    const state = shown.length > 0 ? 'attached' : was_attached ? 'detached' : 'waiting';
    return { id, state, instances: shown.length };
  });
  return ok({ attachments: standing });
}

/**
 * Adds attachments that a primitive asked for. They stay until one with the same id replaces them, whatever the maps want.
 * Returns where each stands.
 *
 * @param {Wanted[]} wanted
 * @returns {{id: string, targets: Element[]}[]}
 */
export function add_attachments(wanted) {
  for (const one of wanted) {
    attachments.get(one.id)?.shown.forEach(({ element }) => element.remove());
    attachments.set(one.id, { wanted: one, written: '', shown: [], was_attached: false, is_own: true });
  }
  if (wanted.length > 0) watch();
  look();
  return wanted.map(({ id }) => ({ id, targets: (attachments.get(id)?.shown ?? []).map(({ target }) => target) }));
}

/** Looks at the page again whenever it changes, scrolls or is resized. */
function watch() {
  if (is_watching) return;
  is_watching = true;
  const soon = () => {
    looking ??= setTimeout(() => {
      looking = undefined;
      look();
    }, PAUSE);
  };
  const observer = new MutationObserver(soon);
  observer.observe(document, { childList: true, subtree: true, attributes: true, characterData: true });
  addEventListener('scroll', soon, { capture: true, passive: true });
  addEventListener('resize', soon, { passive: true });
  addEventListener('load', soon, { capture: true, passive: true });
  addEventListener('keydown', press, { capture: true });
}

/** Attaches, detaches and places everything. */
function look() {
  /** @type {DOMRect[]} */
  const taken = [];
  for (const attached of attachments.values()) {
    const targets = targets_of(attached.wanted);
    const { removes, reattaches } = attached.wanted;
    attached.shown = attached.shown.filter(({ element, target }) => {
      if (target.isConnected && targets.includes(target)) return true;
      if (!removes && !target.isConnected) return true;
      element.remove();
      return false;
    });
    for (const target of targets) {
      if (attached.shown.some((one) => one.target === target)) continue;
      if (attached.was_attached && !reattaches) break;
      const element = build(attached.wanted, is_dark(target));
      attachment_stage().append(element);
      attached.shown.push({ element, target });
    }
    attached.was_attached ||= attached.shown.length > 0;
    if (attached.shown.length > 0) attachment_stage();
    attached.shown.forEach(({ element, target }) => place(element, target, attached.wanted, taken));
  }
  remove_empty_layer();
}

/** @param {Wanted} wanted */
function targets_of({ locator, max_instances }) {
  const chosen = choose(locator, { nodes: [] }, { explain: false });
  if (!('ok' in chosen)) return [];
  const { element, elements } = chosen.ok;
  return max_instances === 1 ? [element] : elements.slice(0, max_instances);
}

/**
 * @param {Wanted} wanted
 * @param {boolean} on_dark
 */
function build(wanted, on_dark) {
  const is_usable = USABLE.has(wanted.kind);
  const element = document.createElement(is_usable ? 'button' : 'div');
  element.className = ['item', wanted.kind, ...(on_dark ? ['on_dark'] : [])].join(' ');
  element.textContent = wanted.key ? `${wanted.label} (${wanted.key})` : wanted.label;
  if (is_usable) element.addEventListener('click', (event) => event.isTrusted && activate(wanted, on_dark));
  else element.setAttribute('role', wanted.kind === 'status_badge' ? 'status' : 'note');
  return element;
}

/**
 * @param {Wanted} wanted
 * @param {boolean} on_dark
 */
function activate(wanted, on_dark) {
  tell(wanted.id, 'activated');
  if (!wanted.opens) return;
  show_overlay(wanted.opens, on_dark, () => tell(wanted.id, 'closed'));
  tell(wanted.id, 'opened');
}

/** @param {KeyboardEvent} event */
function press(event) {
  if (!event.isTrusted) return;
  for (const { wanted, shown } of attachments.values()) {
    if (shown.length === 0 || !wanted.key || !is_pressed(wanted.key, event)) continue;
    event.preventDefault();
    activate(wanted, is_dark(shown[0]?.target ?? document.documentElement));
  }
}

/**
 * @param {string} keys such as `Alt+K`
 * @param {KeyboardEvent} event
 */
function is_pressed(keys, event) {
  const parts = keys.split('+').map((part) => part.trim().toLowerCase());
  const has = (/** @type {string} */ name) => parts.includes(name);
  return (
    event.key.toLowerCase() === parts.at(-1) &&
    event.altKey === has('alt') &&
    event.ctrlKey === (has('ctrl') || has('control')) &&
    event.metaKey === has('meta') &&
    event.shiftKey === has('shift')
  );
}

/**
 * @param {string} attachment
 * @param {string} what
 */
function tell(attachment, what) {
  /** @type {any} */ (globalThis).actions_report?.(JSON.stringify({ attachment, what }));
}

/**
 * Puts an attachment beside its target, within the viewport and below those that are there already. It is hidden while its
 * target is not rendered or out of view.
 *
 * @param {HTMLElement} element
 * @param {Element} target
 * @param {Wanted} wanted
 * @param {DOMRect[]} taken where other attachments stand
 */
function place(element, target, { placement }, taken) {
  const box = target.getBoundingClientRect();
  const is_out = box.bottom < 0 || box.right < 0 || box.top > innerHeight || box.left > innerWidth;
  const is_hidden = is_out || box.width === 0 || box.height === 0;
  element.classList.toggle('hidden', is_hidden);
  element.classList.toggle('on_dark', is_dark(target));
  if (is_hidden) return;
  const { width, height } = element.getBoundingClientRect();
  const gap = 6;
  const [left, top] = {
    beforebegin: [box.left, box.top - height - gap],
    afterbegin: [box.left + gap, box.top + gap],
    beforeend: [box.right - width - gap, box.bottom - height - gap],
    afterend: [box.right + gap, box.top + (box.height - height) / 2],
  }[placement];
  const within = (/** @type {number} */ at, /** @type {number} */ size, /** @type {number} */ room) =>
    Math.max(4, Math.min(at, room - size - 4));
  const at = new DOMRect(
    within(left ?? 0, width, document.documentElement.clientWidth),
    within(top ?? 0, height, innerHeight),
    width,
    height,
  );
  for (let tries = 0; tries < 20; tries += 1) {
    const other = taken.find((one) => one.left < at.right && at.left < one.right && one.top < at.bottom && at.top < one.bottom);
    if (!other) break;
    at.y = other.bottom + 4;
  }
  taken.push(at);
  element.style.setProperty('left', `${at.x}px`);
  element.style.setProperty('top', `${at.y}px`);
}

/**
 * Whether the background behind an element is dark.
 *
 * @param {Element} element
 */
export function is_dark(element) {
  for (let at = /** @type {Element | null} */ (element); at; at = at.parentElement) {
    const parts = getComputedStyle(at).backgroundColor.match(/[\d.]+/g)?.map(Number) ?? [];
    const [red = 255, green = 255, blue = 255, alpha = 1] = parts;
    if (parts.length >= 3 && alpha > 0.5) return 0.299 * red + 0.587 * green + 0.114 * blue < 128;
  }
  return matchMedia('(prefers-color-scheme: dark)').matches && getComputedStyle(document.documentElement).colorScheme.includes('dark');
}
