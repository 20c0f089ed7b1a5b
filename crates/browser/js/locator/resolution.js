// Resolves a locator to all elements that it matches.

import { refuse } from '../answer/answer.js';
import { MAX_MATCHES } from '../css/query_pierced.js';
import { is_hidden } from '../aria/is_hidden.js';
import { is_rendered } from '../facts/is_rendered.js';
import { is_connected, node_type } from '../native/node.js';
import { text_test } from '../reading/text_test.js';
import { attempts } from './attempts.js';
import { candidates } from './candidates.js';
import { corroborate } from './corroborate.js';
import { filter_by_content } from './filter_by_content.js';
import { filter_by_name } from './filter_by_name.js';
import { filter_by_states } from './filter_by_states.js';
import { filter_by_text } from './filter_by_text.js';
import { refuse_unknown_keys } from './known_keys.js';
import { refuse_patterns } from './refuse_patterns.js';
import { retarget } from './retarget.js';
import { search_space } from './search_space.js';

/**
 * @typedef {object} Trail what one attempt found, step by step
 * @property {string} key
 * @property {string} [expression]
 * @property {number} matched
 * @property {number} [with_text]
 * @property {number} [with_content] after `has` and `not`
 * @property {number} [with_states]
 * @property {number} [after_retarget]
 */

/**
 * @typedef {object} Resolution
 * @property {Element[]} elements every match, in order
 * @property {import('./attempts.js').Attempt['key'] | 'node'} matched_by
 * @property {string | null} matched_selector
 * @property {'confirmed' | 'unconfirmed' | 'unchecked'} identity
 * @property {Trail[]} trail
 * @property {boolean} complete false when the page has more elements than the search visits
 */

/**
 * Returns every element that a locator matches, without waiting. No match is a resolution with no elements, not an
 * error.
 *
 * @param {Locator} locator
 * @param {Call} call
 * @param {Root} [base] the tree to search, in which `within` is resolved too
 * @returns {{ok: Resolution} | Refusal}
 */
export function resolve(locator, call, base = document) {
  const invalid = refuse_unknown_keys(locator) ?? refuse_patterns(locator);
  if (invalid) return invalid;
  if (locator.node !== undefined) return resolve_handle(locator.node, call);
  const scope = resolve_root(locator, call, base);
  if ('error' in scope) return scope;
  if (!scope.ok) return { ok: no_match([{ key: 'within', matched: 0 }], true) };

  let space = search_space(scope.ok);
  /** @type {Trail[]} */
  const trail = [];
  let unseen = 0;
  for (const attempt of attempts(locator)) {
    let attempted = run_attempt(attempt, locator, space, call);
    if ('error' in attempted) return attempted;
    if (attempted.ok.elements.length === 0 && (space.remembered || !space.complete)) {
      space = search_space(scope.ok, { fresh: true });
      attempted = run_attempt(attempt, locator, space, call);
      if ('error' in attempted) return attempted;
    }
    const { elements, identity, step, skipped } = attempted.ok;
    trail.push(step);
    unseen += skipped;
    if (elements.length === 0) continue;
    const { key, expression } = attempt;
    return {
      ok: {
        elements,
        matched_by: key,
        matched_selector: expression ?? null,
        identity,
        trail,
        complete: space.complete,
      },
    };
  }
  if (unseen > 0 || trail.some(({ matched }) => matched >= MAX_MATCHES))
    return refuse_unsearched(locator, trail, unseen);
  return { ok: no_match(trail, space.complete) };
}

/**
 * Performs one attempt: candidates, then text, role and name, states, content, `retarget` and `nth`.
 *
 * @param {import('./attempts.js').Attempt} attempt
 * @param {Locator} locator
 * @param {import('./search_space.js').SearchSpace} space
 * @param {Call} call
 * @returns {{ok: {elements: Element[], identity: Resolution['identity'], step: Trail, skipped: number}} | Refusal}
 */
function run_attempt(attempt, locator, space, call) {
  const { key, expression } = attempt;
  const start = candidates(attempt, locator, space);
  if ('error' in start) return start;
  const text = text_test(locator, space);
  const shown = filter_by_text(start.ok, text, key === 'text', space);
  const { elements: meant, identity } = identify(key, shown, locator, space);
  const in_state = filter_by_states(meant, locator.states);
  const holding = filter_by_content(in_state, locator, (inner, base) => resolve(inner, call, base));
  if ('error' in holding) return holding;
  const aimed = retarget(holding.ok, locator);
  if ('error' in aimed) return aimed;
  return {
    ok: {
      elements: pick_nth(aimed.ok, locator.nth),
      identity,
      step: {
        key,
        ...(expression === undefined ? {} : { expression }),
        matched: start.ok.length,
        ...(text ? { with_text: shown.length } : {}),
        ...(locator.states && meant.length > 0 ? { with_states: in_state.length } : {}),
        ...((locator.has || locator.not) && in_state.length > 0 ? { with_content: holding.ok.length } : {}),
        ...(locator.retarget ? { after_retarget: aimed.ok.length } : {}),
      },
      skipped: text?.skipped() ?? 0,
    },
  };
}

/**
 * Refuses a search that could not cover the whole page and therefore cannot report "no match".
 *
 * @param {Locator} locator
 * @param {Trail[]} trail
 * @param {number} unseen how many elements have too much text to compare
 * @returns {Refusal}
 */
function refuse_unsearched(locator, trail, unseen) {
  return refuse('payload_too_large', 'the page has too much text to search it all for this locator', {
    locator,
    trail,
    too_long_to_compare: unseen,
    narrowing_hints: ['add a selector', 'use a narrower selector', 'use `within`'],
  });
}

/**
 * Applies role and name: as a filter when the locator has no selector, and as corroboration when it has one.
 *
 * @param {import('./attempts.js').Attempt['key']} key
 * @param {Element[]} elements
 * @param {Locator} locator
 * @param {import('./search_space.js').SearchSpace} space
 * @returns {ReturnType<typeof corroborate>}
 */
function identify(key, elements, locator, space) {
  if (key !== 'role') return corroborate(elements, locator, space);
  const named = filter_by_name(elements, locator, space);
  return { elements: named.filter((element) => !is_hidden(element)), identity: 'confirmed' };
}

/**
 * @param {Trail[]} trail
 * @param {boolean} complete
 * @returns {Resolution}
 */
function no_match(trail, complete) {
  return { elements: [], matched_by: 'selector', matched_selector: null, identity: 'unchecked', trail, complete };
}

/**
 * @param {number} index
 * @param {Call} call
 * @returns {{ok: Resolution} | Refusal}
 */
function resolve_handle(index, call) {
  const node = call.nodes[index];
  if (!node || node_type(node) !== Node.ELEMENT_NODE) {
    return refuse('invalid_input', `handle ${index} is not an element`);
  }
  if (!is_connected(node)) return refuse('target_detached', 'the element was removed from the document');
  return {
    ok: {
      ...no_match([{ key: 'node', matched: 1 }], true),
      elements: [/** @type {Element} */ (node)],
      matched_by: 'node',
    },
  };
}

/**
 * Returns the root of the search: the element that `within` resolves to, or the base; null when `within` matches
 * nothing.
 *
 * @param {Locator} locator
 * @param {Call} call
 * @param {Root} [base]
 * @returns {{ok: Root | null} | Refusal}
 */
export function resolve_root(locator, call, base = document) {
  if (!locator.within) return { ok: base };
  const found = resolve(locator.within, call, base);
  if ('error' in found) return found;
  const { elements } = found.ok;
  return { ok: elements.find(is_rendered) ?? elements[0] ?? null };
}

/**
 * @param {Element[]} elements
 * @param {number | undefined} nth
 */
function pick_nth(elements, nth) {
  if (nth === undefined) return elements;
  const picked = elements.at(nth);
  return picked ? [picked] : [];
}
