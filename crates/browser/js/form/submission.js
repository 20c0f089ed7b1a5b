import { listen } from '../native/node.js';

/**
 * @typedef {object} Submission what is heard of a submission that is being watched
 * @property {HTMLFormElement} form
 * @property {Event | null} event
 * @property {Promise<void>} forbidden comes true when a policy of the page keeps it from being sent
 * @property {() => void} forbid
 */

/** @type {Submission | null} */
let watched = null;

/**
 * Listens on the window before the page's own scripts run, so that no listener of the page can keep a submission, or the
 * word that it was forbidden, from being heard. Idle until a submission is watched.
 */
export function listen_for_submissions() {
  listen(window, 'submit', on_submit, { capture: true });
  listen(window, 'securitypolicyviolation', on_violation, { capture: true });
}

/**
 * Watches the submission of a form from now on.
 *
 * @param {HTMLFormElement} form
 * @returns {Submission}
 */
export function watch_submission(form) {
  // A document that was opened to be written anew has forgotten its listeners; those that are there stay where they are.
  listen_for_submissions();
  /** @type {() => void} */
  let forbid = () => {};
  const forbidden = new Promise((/** @type {(value?: undefined) => void} */ done) => {
    forbid = () => done();
  });
  watched = { form, event: null, forbidden, forbid };
  return watched;
}

/**
 * Gives the submission that was watched last.
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
