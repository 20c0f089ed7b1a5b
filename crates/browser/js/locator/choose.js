// Resolves a locator to a single element, or explains why there is none.

import { refuse } from '../answer/answer.js';
import { describe } from '../facts/describe.js';
import { is_rendered } from '../facts/is_rendered.js';
import { document_url } from '../native/document.js';
import { accessible_name } from '../aria/name.js';
import { role } from '../aria/role.js';
import { cut_text } from '../reading/cut_text.js';
import { near } from './near.js';
import { resolve, resolve_root } from './resolution.js';
import { search_space } from './search_space.js';
import { unreachable } from './unreachable.js';

/**
 * @typedef {object} Found how a locator was resolved; part of the output of primitives
 * @property {boolean} ambiguous
 * @property {number} candidate_count
 * @property {'confirmed' | 'unconfirmed' | 'unchecked'} identity
 * @property {string} matched_by
 * @property {string} [matched_selector]
 * @property {{role: string, name: string}} [identity_seen]
 */

/**
 * @typedef {{element: Element, elements: Element[], found: Found}} Choice
 */

/**
 * Resolves a locator to one element: the first rendered match, or the first match when none is rendered.
 *
 * @param {Locator} locator
 * @param {Call} call
 * @param {{explain?: boolean}} [options] whether a refusal lists similar elements and closed shadow roots that may
 *   contain a match, which requires a walk over the whole page; true when absent
 * @returns {{ok: Choice} | Refusal}
 */
export function choose(locator, call, { explain = true } = {}) {
  const resolved = resolve(locator, call);
  if ('error' in resolved) return resolved;
  const { elements, matched_by, matched_selector, identity } = resolved.ok;
  const [first, second] = first_two_rendered(elements);
  const element = first ?? elements[0];
  if (!element) return refuse_absent(locator, call, resolved.ok, explain);
  const ambiguous = first ? second !== undefined : elements.length > 1;
  if (ambiguous && locator.strict) return refuse_several(locator, elements);
  return {
    ok: {
      element,
      elements,
      found: {
        ambiguous,
        candidate_count: elements.length,
        identity,
        matched_by,
        ...(matched_selector === null ? {} : { matched_selector }),
        ...(identity === 'unconfirmed'
          ? { identity_seen: { role: cut_text(role(element), 240), name: cut_text(accessible_name(element), 1_000) } }
          : {}),
      },
    },
  };
}

/**
 * @param {Element[]} elements
 * @returns {Element[]}
 */
function first_two_rendered(elements) {
  const found = [];
  for (const element of elements) {
    if (!is_rendered(element)) continue;
    found.push(element);
    if (found.length === 2) break;
  }
  return found;
}

/**
 * Builds the refusal for a locator without a match: what each attempt found, what is similar, and where a match may be hidden.
 *
 * @param {Locator} locator
 * @param {Call} call
 * @param {import('./resolution.js').Resolution} resolution
 * @param {boolean} explain
 * @returns {Refusal}
 */
function refuse_absent(locator, call, { trail, complete }, explain) {
  return refuse('target_not_found', absence(locator, trail), {
    locator,
    url: document_url(document),
    trail,
    ...(complete ? {} : { search_incomplete: true }),
    ...(explain ? { ...similar(locator, call), ...unreachable() } : {}),
  });
}

/**
 * Returns evidence about similar elements in the scope of a locator.
 *
 * @param {Locator} locator
 * @param {Call} call
 */
export function similar(locator, call) {
  const scope = resolve_root(locator, call);
  return 'ok' in scope && scope.ok ? near(locator, search_space(scope.ok)) : {};
}

/**
 * Returns the sentence that says what was not found.
 *
 * @param {Locator} locator
 * @param {import('./resolution.js').Trail[]} trail
 */
function absence(locator, trail) {
  const best = trail.find(({ matched }) => matched > 0) ?? trail[0];
  const text = locator.text_equals ?? locator.text_contains ?? locator.text ?? locator.text_matches;
  const name = locator.name ?? locator.name_contains ?? locator.name_matches;
  const { with_states, with_content } = best ?? {};
  if (best && best.matched > 0 && best.with_text !== 0 && (with_states === 0 || with_content === 0)) {
    const missing = with_states === 0 ? 'the wanted `states`' : 'the content that `has` and `not` ask for';
    return `no element that matches \`${best.expression ?? best.key}\` has ${missing}`;
  }
  switch (best?.key) {
    case 'within':
      return 'no element matches `within`';
    case 'text':
      return `no element shows the text \`${text}\``;
    case 'role':
      return `no element has the role \`${locator.role}\`${name === undefined ? '' : ` and the name \`${name}\``}`;
    default:
      break;
  }
  const expression = `\`${best?.expression}\``;
  if (!best || best.matched === 0) return `no element matches ${expression}`;
  const many = best.matched === 1 ? '1 element' : `${best.matched} elements`;
  if (best.with_text === 0) return `${expression} matches ${many}, but none contains the text \`${text}\``;
  if (best.after_retarget === 0) return `${expression} matches ${many}, but \`retarget\` finds no element from there`;
  return `${expression} matches ${many}, too few for \`nth\` (${locator.nth})`;
}

/**
 * @param {Locator} locator
 * @param {Element[]} elements
 * @returns {Refusal}
 */
function refuse_several(locator, elements) {
  return refuse('multiple_targets', `the locator is strict, but ${elements.length} elements match`, {
    locator,
    candidate_count: elements.length,
    candidates: elements.slice(0, 5).map(describe),
  });
}
