// `drift.page`: what sort of page this is, so that a wall or an empty page is not mistaken for a change of the site.

import { ok } from '../answer/answer.js';
import { query_pierced } from '../css/query_pierced.js';
import { is_rendered } from '../facts/is_rendered.js';
import { viewport } from '../geometry/viewport.js';
import { document_body, document_element, document_points, document_title, document_url, ready_state } from '../native/document.js';
import { attribute, bounding_rect, element_matches } from '../native/element.js';
import { target_label } from '../facts/describe.js';
import { search_space } from '../locator/search_space.js';
import { cut_text } from '../reading/cut_text.js';
import { visible_text } from '../reading/visible_text.js';
import { composed_parent } from '../tree/composed_parent.js';
import { said } from './fingerprint.js';
import { operable_within } from './operable.js';

/** Marks of services that ask visitors to prove that they are people. They stand in addresses and ids, in any language. */
const CHALLENGES =
  ':is(iframe, script)[src*="captcha" i], iframe[src*="challenges.cloudflare.com"], iframe[src*="arkoselabs"], [data-sitekey], .g-recaptcha, .h-captcha, #challenge-form, #challenge-running, #cf-challenge-running, [id^="px-captcha"], form[action*="captcha" i], img[src*="captcha" i], [id*="captcha" i], [class*="captcha" i]';

/** Marks of a page that is still loading, or says so. */
const WAITING = '[aria-busy=true], [role=progressbar], progress:not([value]), [class*="spinner" i], [class*="loading" i], [class*="loader" i], [class*="skeleton" i]';

/** How many operable elements are named. */
const MAX_NAMED = 400;

/** Describes the page: how much there is on it, which walls stand in front of it, and the names of what can be operated. */
export function drift_page() {
  const space = search_space(document);
  const shown = (/** @type {string} */ selector) =>
    query_pierced(space.root, space.shadows, selector).slice(0, 200).filter(is_rendered);
  const body = document_body(document);
  const text = body ? visible_text(body, { max_chars: 2_000, max_nodes: 20_000 }).text : '';
  const operable = operable_within(document, MAX_NAMED).filter(is_rendered);
  const root = document_element(document);
  return ok({
    url: document_url(document),
    title: cut_text(document_title(document), 200),
    language: cut_text((root && attribute(root, 'lang')) ?? '', 40).toLowerCase(),
    ready_state: ready_state(document),
    text_length: text.length,
    password_fields: shown('input[type=password]').length,
    challenges: query_pierced(space.root, space.shadows, CHALLENGES).slice(0, 5).map(target_label),
    waiting: shown(WAITING).slice(0, 5).map(target_label),
    wall: wall(),
    operable: operable.map((element) => cut_text(said(element), 120)),
  });
}

/** The element that lies over most of the viewport and is no part of the page below; null when there is none. */
function wall() {
  const { width, height } = viewport();
  const points = [
    [0.5, 0.5],
    [0.25, 0.25],
    [0.75, 0.25],
    [0.25, 0.75],
    [0.75, 0.75],
  ].map(([x, y]) => ({ x: width * /** @type {number} */ (x), y: height * /** @type {number} */ (y) }));
  /** @type {Map<Element, number>} */
  const over = new Map();
  for (const { x, y } of points) {
    const [top] = document_points(document, x, y);
    const cover = top ? floating(top) : null;
    if (cover) over.set(cover, (over.get(cover) ?? 0) + 1);
  }
  for (const [cover, times] of over) {
    if (times >= 4) return { label: target_label(cover), dialog: is_dialog(cover), operable: operable_within(cover, 20).map(said) };
  }
  return null;
}

/**
 * The outermost ancestor, or the element itself, that is taken out of the flow of the page and covers most of the viewport.
 *
 * @param {Element} element
 */
function floating(element) {
  const { width, height } = viewport();
  let found = null;
  for (let at = /** @type {Element | null} */ (element); at; at = composed_parent(at)) {
    const { position } = getComputedStyle(at);
    const rect = bounding_rect(at);
    const covers = rect.width * rect.height > width * height * 0.5;
    if (covers && (position === 'fixed' || position === 'absolute' || element_matches(at, 'dialog[open]'))) found = at;
  }
  return found ?? (element_matches(element, 'dialog[open]') ? element : null);
}

/** @param {Element} element */
function is_dialog(element) {
  return element_matches(element, 'dialog, [role=dialog], [role=alertdialog], [aria-modal=true]');
}
