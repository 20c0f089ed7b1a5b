// Entry point of the page script. It runs once per document in an isolated world, installs the event listeners that
// must be in place before the page's own scripts run, and exposes three functions to the driver: `call`, `pick` and
// `hosts`.

import { start_announcing } from './a11y/live.js';
import { install_sentry } from './action/sentry.js';
import { refuse } from './answer/answer.js';
import { to_text } from './answer/to_text.js';
import { note_call } from './answer/last_call.js';
import { attachment_root, stand_aside } from './attachment/layer.js';
import { active_element } from './focus/active_element.js';
import { file_field_of } from './form/files.js';
import { listen_for_submissions } from './form/submission.js';
import { FUNCTIONS } from './functions.js';
import { choose } from './locator/choose.js';
import { listen_for_entries } from './text/entry.js';
import { ask_about_hosts } from './tree/closed_hosts.js';
import { forget_roots } from './tree/document_roots.js';
import { adopt_closed_root } from './tree/shadow_of.js';
import { start_rest_clock } from './wait/rest.js';

install_sentry();
listen_for_submissions();
listen_for_entries();
start_rest_clock();
start_announcing();

/** The object the driver keeps a handle to: one per document. */
export const main = Object.freeze({ call, pick, hosts });

/**
 * Calls a function of the page script by name and returns its answer as JSON text.
 *
 * @param {string} name
 * @param {string} args_text the arguments as JSON text
 * @param {...Node} nodes elements that the arguments refer to by index, and closed shadow roots to search from now on
 * @returns {string | Promise<string>}
 */
function call(name, args_text, ...nodes) {
  const method = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
  if (!method) return to_text(refuse('internal_error', `the page script has no function \`${name}\``));
  try {
    adopt(nodes);
    const args = JSON.parse(args_text);
    const acts = name.startsWith('action.') || name.startsWith('frame.');
    if (acts) stand_aside();
    const answer = method(args, { nodes, unsearched: args.unsearched === true });
    note_call(name, answer);
    if (acts && answer instanceof Promise) void answer.then(stand_aside, stand_aside);
    return answer instanceof Promise ? answer.then(to_text, failure) : to_text(answer);
  } catch (error) {
    return failure(error);
  }
}

/**
 * Returns the element that a locator resolves to, so that the driver can keep a handle to it; null when none matches.
 * With `file_field: true` it is the file input that the element stands for. `focused: true` in place of a locator means the
 * element that has the focus; `:focus` does not match a frame element when a script has moved the focus into its document.
 *
 * @param {string} locator_text
 * @param {...Node} nodes
 * @returns {Element | null}
 */
function pick(locator_text, ...nodes) {
  adopt(nodes);
  const { file_field, focused, ...locator } = JSON.parse(locator_text);
  if (focused === true) return active_element();
  const chosen = choose(locator, { nodes }, { explain: false });
  if (!('ok' in chosen)) return null;
  return file_field === true ? file_field_of(chosen.ok.element) : chosen.ok.element;
}

/**
 * Registers closed shadow roots, then returns the elements that the driver must describe to discover further ones.
 *
 * @param {boolean} answered whether the driver has described the elements returned by the previous call
 * @param {...Node} roots
 */
function hosts(answered, ...roots) {
  adopt(roots);
  return ask_about_hosts(answered);
}

/** @param {Node[]} nodes */
function adopt(nodes) {
  for (const node of nodes) {
    // The layer of attachments belongs to the driver and not to the page.
    if (!(node instanceof ShadowRoot) || node === attachment_root()) continue;
    adopt_closed_root(node);
    forget_roots();
  }
}

/** @param {unknown} error */
function failure(error) {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const stack = error instanceof Error ? (error.stack ?? '').split('\n').slice(1, 6) : [];
  return to_text(refuse('internal_error', `the page script failed: ${message}`, { stack }));
}
