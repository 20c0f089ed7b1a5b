// Reports what live regions say, as a screen reader would hear it.

import { ok } from '../answer/answer.js';
import { is_hidden } from '../aria/is_hidden.js';
import { ready_state } from '../native/document.js';
import { attribute, local_name } from '../native/element.js';
import { is_connected, listen, node_text } from '../native/node.js';
import { cut_text } from '../reading/cut_text.js';
import { normalize_text } from '../reading/normalize_text.js';
import { composed_contains } from '../tree/composed_contains.js';
import { composed_parent } from '../tree/composed_parent.js';
import { shadow_roots } from '../tree/shadow_roots.js';
import { now } from '../wait/now.js';

/** The function by which the driver hears of an announcement. It exists only while the driver listens. */
const REPORT = 'actions_announce';

const MAX_CHARS = 1_000;
/** How long the same text of the same region is one announcement, in milliseconds. */
const SAME = 2_000;
/** The shortest time between two searches for new shadow roots, in milliseconds. */
const WIDEN_EVERY = 100;
/** How many changes are looked at together; a page that changes everything at once announces only the first. */
const MAX_CHANGES = 500;

/** Roles whose elements are live regions, with their urgency. */
const ROLES = new Map([
  ['alert', 'assertive'],
  ['status', 'polite'],
  ['log', 'polite'],
]);

/** @typedef {{element: Element, politeness: string, atomic: boolean}} Region */

/** @type {MutationObserver | null} */
let observer = null;
/** @type {WeakSet<Node>} */
const observed = new WeakSet();
/** @type {WeakMap<Element, {text: string, at: number}>} */
const said = new WeakMap();
let widened_at = -WIDEN_EVERY;

/** Begins to report announcements in this document. */
export function a11y_watch() {
  start_announcing();
  return ok({ watching: observer !== null });
}

/** Begins to report announcements if the driver listens. Called at the start of every document. */
export function start_announcing() {
  if (observer || typeof Reflect.get(globalThis, REPORT) !== 'function') return;
  observer = new MutationObserver(changed);
  // What a document contains when it has been parsed is no news.
  if (ready_state(document) === 'loading') listen(document, 'DOMContentLoaded', widen, { once: true });
  else widen();
}

function widen() {
  if (now() - widened_at < WIDEN_EVERY) return;
  widened_at = now();
  for (const root of [document, ...shadow_roots(document).roots]) {
    if (observed.has(root)) continue;
    observed.add(root);
    observer?.observe(root, { childList: true, subtree: true, characterData: true });
  }
}

/** @param {MutationRecord[]} records */
function changed(records) {
  /** @type {Map<Element, {region: Region, parts: string[]}>} */
  const changes = new Map();
  for (const record of records.slice(0, MAX_CHANGES)) {
    const around = region_of(record.target);
    if (record.type === 'characterData') {
      if (around) note(changes, around, record.target);
      continue;
    }
    for (const node of record.addedNodes) {
      if (around) note(changes, around, node);
      else for (const alert of alerts_in(node)) note(changes, alert, alert.element);
    }
  }
  for (const { region, parts } of changes.values()) announce(region, parts);
  widen();
}

/**
 * @param {Map<Element, {region: Region, parts: string[]}>} changes
 * @param {Region} region
 * @param {Node} node
 */
function note(changes, region, node) {
  const change = changes.get(region.element) ?? { region, parts: [] };
  changes.set(region.element, change);
  if (is_connected(node)) change.parts.push(node_text(node) ?? '');
}

/**
 * @param {Region} region
 * @param {string[]} parts
 */
function announce({ element, politeness, atomic }, parts) {
  if (!is_connected(element) || is_hidden(element)) return;
  const whole = atomic ? `${attribute(element, 'aria-label') ?? ''} ${node_text(element) ?? ''}` : parts.join(' ');
  const text = cut_text(normalize_text(whole), MAX_CHARS);
  const last = said.get(element);
  if (text === '' || (last && last.text === text && now() - last.at < SAME)) return;
  said.set(element, { text, at: now() });
  Reflect.get(globalThis, REPORT)(JSON.stringify({ text, politeness }));
}

/**
 * Returns the live region around a node, if it is one that speaks.
 *
 * @param {Node} node
 * @returns {Region | null}
 */
function region_of(node) {
  let at = node instanceof Element ? node : composed_parent(node);
  for (; at; at = composed_parent(at)) {
    const region = as_region(at);
    if (region) return region.politeness === 'off' ? null : region;
  }
  return null;
}

/**
 * @param {Element} element
 * @returns {Region | null}
 */
function as_region(element) {
  const role = (attribute(element, 'role') ?? '').trim().split(/\s+/)[0] ?? '';
  const of_role = ROLES.get(role) ?? (local_name(element) === 'output' ? 'polite' : undefined);
  const live = attribute(element, 'aria-live')?.trim().toLowerCase();
  const politeness = live === 'assertive' || live === 'polite' || live === 'off' ? live : of_role;
  if (politeness === undefined) return null;
  const atomic = attribute(element, 'aria-atomic');
  return { element, politeness, atomic: atomic === null ? of_role !== undefined && role !== 'log' : atomic === 'true' };
}

/**
 * Returns the alerts in a node that was added: they speak when they appear, other regions only when they change.
 *
 * @param {Node} node
 * @returns {Region[]}
 */
function alerts_in(node) {
  if (!(node instanceof Element)) return [];
  const found = [node, ...node.querySelectorAll('[role="alert"]')].filter((each) => composed_contains(node, each));
  return found.flatMap((each) => {
    const region = as_region(each);
    return region?.politeness === 'assertive' && attribute(each, 'role')?.trim().startsWith('alert') ? [region] : [];
  });
}
