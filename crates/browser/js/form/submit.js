// `form.submit`: submits a form.

import { ok, refuse } from '../answer/answer.js';
import { query_all } from '../css/query_all.js';
import { target_label } from '../facts/describe.js';
import { summary } from '../facts/summary.js';
import { active_element } from '../focus/active_element.js';
import { await_choice } from '../locator/await_choice.js';
import { capture_getter, capture_method } from '../native/capture.js';
import { element_matches, has_attribute } from '../native/element.js';
import { root_node } from '../native/node.js';
import { composed_closest } from '../tree/composed_closest.js';
import { cut_text } from '../reading/cut_text.js';
import { inert_reason } from './inert_reason.js';
import { watch_submission } from './submission.js';

const form_controls = capture_getter(HTMLFormElement.prototype, 'elements');
const form_method = capture_getter(HTMLFormElement.prototype, 'method');
const form_action = capture_getter(HTMLFormElement.prototype, 'action');
const request_submit = capture_method(HTMLFormElement.prototype, 'requestSubmit');
const check_validity = capture_method(HTMLFormElement.prototype, 'checkValidity');

/** Elements that submit a form when they are activated. */
const SUBMITTERS = 'button:not([type=button], [type=reset]), input[type=submit], input[type=image]';

/**
 * Submits a form with validation and a submit event, through its default button if it has one.
 *
 * @param {{locator?: Locator, deadline_ms?: number}} args
 * @param {Call} call
 */
export async function form_submit({ locator, deadline_ms = 0 }, call) {
  const start = locator
    ? await await_choice(locator, call, deadline_ms, (element) => is_within_reach(form_of(element)))
    : focused();
  if ('error' in start) return start;
  const form = form_of(start.ok.element);
  if (!form) {
    return refuse('target_not_found', `\`${target_label(start.ok.element)}\` does not belong to a form`, {
      reason: 'no_form',
    });
  }
  const inert = inert_reason(form);
  if (inert) {
    return refuse('target_not_actionable', `\`${target_label(form)}\` cannot be submitted: \`${inert.by}\` makes it inert`, {
      ...inert,
      hint: 'close the dialog or layer that makes the rest of the page inert',
    });
  }
  const submitter = default_button(form);
  if (submitter && element_matches(submitter, ':disabled')) {
    return refuse('target_not_actionable', `the default button \`${target_label(submitter)}\` is disabled`, {
      reason: 'disabled',
      submitter: summary(submitter),
    });
  }
  const unchecked = has_attribute(form, 'novalidate') || (submitter && has_attribute(submitter, 'formnovalidate'));
  if (!unchecked && !check_validity(form)) {
    return refuse('input_not_received', 'the form was not submitted because some fields fail its validation', {
      reason: 'invalid_fields',
      fields: invalid_fields(form),
    });
  }
  const about = {
    method: form_method(form),
    action: form_action(form),
    submitter: submitter && summary(submitter),
  };
  const event = submit(form, submitter);
  if (!event) return refuse('input_not_received', 'the browser fired no submit event for the form', about);
  return ok({ submitted: true, ...about, default_prevented: event.defaultPrevented });
}

/** @param {HTMLFormElement | null} form */
function is_within_reach(form) {
  return form !== null && inert_reason(form) === null;
}

/** @returns {{ok: {element: Element}} | Refusal} */
function focused() {
  const element = active_element();
  return element ? { ok: { element } } : refuse('target_not_found', 'no element has the focus', { reason: 'no_focus' });
}

/**
 * Returns the form that an element is, is inside of, or belongs to by its `form` attribute.
 *
 * @param {Element} element
 * @returns {HTMLFormElement | null}
 */
function form_of(element) {
  if (element instanceof HTMLFormElement) return element;
  const owner = /** @type {{form?: unknown}} */ (element).form;
  if (owner instanceof HTMLFormElement) return owner;
  const around = composed_closest(element, 'form');
  return around instanceof HTMLFormElement ? around : null;
}

/**
 * @param {HTMLFormElement} form
 * @returns {HTMLElement | null}
 */
function default_button(form) {
  for (const control of form_controls(form)) {
    if (element_matches(control, SUBMITTERS)) return /** @type {HTMLElement} */ (control);
  }
  // `form.elements` does not list image buttons.
  const images = Array.from(query_all(/** @type {Root} */ (root_node(form)), 'input[type=image]'));
  const own = images.find((each) => /** @type {HTMLInputElement} */ (each).form === form);
  return /** @type {HTMLElement | undefined} */ (own) ?? null;
}

/** @param {HTMLFormElement} form */
function invalid_fields(form) {
  const fields = [];
  for (const control of form_controls(form)) {
    const field = /** @type {HTMLInputElement} */ (control);
    if (!element_matches(field, ':invalid') || !('validationMessage' in field)) continue;
    fields.push({
      ...{ name: field.name, target_label: target_label(field) },
      message: cut_text(field.validationMessage, 200),
    });
    if (fields.length === 20) break;
  }
  return fields;
}

/**
 * Submits a form and returns its submit event; null when none was fired.
 *
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} submitter
 * @returns {Event | null}
 */
function submit(form, submitter) {
  const submission = watch_submission(form);
  request_submit(form, submitter);
  return submission.event;
}
