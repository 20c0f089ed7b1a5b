// Observes form submissions, and the security policy that may block them.

import { listen, root_node } from '../native/node.js';

/**
 * @typedef {object} Submission a submission that is being observed
 * @property {HTMLFormElement} form
 * @property {Event | null} event its submit event
 * @property {Promise<void>} forbidden resolves when the page's security policy blocks it
 * @property {() => void} forbid
 */

/** @type {Submission | null} */
let watched = null;

/**
 * Adds listeners to the window before the page's own scripts run, so that no listener of the page can hide a submission
 * or a policy violation. They do nothing until a submission is observed.
 */
export function listen_for_submissions() {
  listen(window, 'submit', on_submit, { capture: true });
  listen(window, 'securitypolicyviolation', on_violation, { capture: true });
}

/**
 * Observes the submission of a form from now on.
 *
 * @param {HTMLFormElement} form
 * @returns {Submission}
 */
export function watch_submission(form) {
  // `document.open()` removes listeners, so add them again; listeners that are still registered are not added twice.
  listen_for_submissions();
  // The event does not leave the shadow root of its form.
  const root = root_node(form);
  if (root instanceof ShadowRoot) listen(root, 'submit', on_submit, { capture: true });
  /** @type {() => void} */
  let forbid = () => {};
  const forbidden = new Promise((/** @type {(value?: undefined) => void} */ done) => {
    forbid = () => done();
  });
  watched = { form, event: null, forbidden, forbid };
  return watched;
}

/**
 * Returns the submission that was observed last.
 *
 * @returns {Submission | null}
 */
export function last_submission() {
  return watched;
}

/** @param {Event} event */
function on_submit(event) {
  if (watched && event.composedPath()[0] === watched.form) watched.event = event;
}

/** @param {Event} event */
function on_violation(event) {
  if (!watched || !(event instanceof SecurityPolicyViolationEvent)) return;
  if (event.effectiveDirective === 'form-action' && event.disposition === 'enforce') watched.forbid();
}
