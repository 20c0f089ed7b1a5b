// Lists elements that resemble what a locator did not find.

import { is_hidden } from '../aria/is_hidden.js';
import { accessible_name } from '../aria/name.js';
import { canonical_role, role } from '../aria/role.js';
import { query_pierced } from '../css/query_pierced.js';
import { comparable_text } from '../reading/comparable_text.js';
import { cut_text } from '../reading/cut_text.js';
import { similarity } from '../reading/similarity.js';
import { now } from '../wait/now.js';
import { OPERABLE } from './candidates.js';
import { role_candidates } from './role_candidates.js';

/** How many elements are listed and examined, for how long, and how much of a name is compared and returned. */
const MAX_LISTED = 5;
const MAX_EXAMINED = 2_000;
const MAX_MS = 50;
const MAX_CHARS = 120;

/** How similar a name must be, with the wanted role and with another one. */
const SIMILAR = 0.4;
const ALMOST_EQUAL = 0.7;

/**
 * Returns up to five elements with a similar name: first those with the wanted role, then others, then any with the
 * wanted role. Returns nothing for a locator without a name or text. The search is bounded, so it may miss some.
 *
 * @param {Locator} locator
 * @param {import('./search_space.js').SearchSpace} space
 * @returns {{near?: {role: string, name: string}[]}}
 */
export function near(locator, { root, shadows }) {
  const text = locator.name ?? locator.name_contains ?? locator.text_equals ?? locator.text_contains ?? locator.text;
  if (text === undefined) return {};
  const wanted_name = comparable_text(text).slice(0, MAX_CHARS).toLowerCase();
  const wanted_role = locator.role === undefined ? null : canonical_role(locator.role.trim().toLowerCase());
  const same_role = wanted_role === null ? [] : role_candidates(root, shadows, wanted_role);
  const others = query_pierced(root, shadows, `${OPERABLE}, h1, h2, h3, h4, h5, h6, img`);

  /** @type {Map<string, {role: string, name: string, score: number}>} */
  const found = new Map();
  const end = now() + MAX_MS;
  let left = MAX_EXAMINED;
  for (const element of new Set([...same_role.slice(0, MAX_EXAMINED / 2), ...others])) {
    left -= 1;
    if (left < 0 || now() > end) break;
    const its_role = role(element);
    if (its_role === '' || its_role === 'generic' || its_role === 'none') continue;
    const name = cut_text(accessible_name(element), MAX_CHARS);
    const key = JSON.stringify([its_role, name]);
    if (name === '' || found.has(key)) continue;
    const score = rank(similarity(wanted_name, comparable_text(name).toLowerCase()), its_role === wanted_role);
    if (score > 0 && !is_hidden(element)) found.set(key, { role: its_role, name, score });
  }
  const best = [...found.values()].sort((a, b) => b.score - a.score).slice(0, MAX_LISTED);
  return best.length === 0 ? {} : { near: best.map(({ role: its_role, name }) => ({ role: its_role, name })) };
}

/**
 * @param {number} alike
 * @param {boolean} same_role
 */
function rank(alike, same_role) {
  if (same_role) return alike >= SIMILAR ? 3 + alike : 0.5 + alike;
  if (alike === 1) return 2 + alike;
  return alike >= ALMOST_EQUAL ? 1 + alike : alike >= SIMILAR ? alike : 0;
}
