// `form.forbidden`: reports whether the content security policy blocked a form submission.

import { ok } from '../answer/answer.js';
import { last_submission } from './submission.js';

/**
 * Waits for the report that the page's policy blocked the last submission, which the browser sends after the submit
 * event. A document that is being replaced does not answer this call; in that case its form was sent.
 *
 * @param {{timeout_ms: number}} args
 * @returns {Promise<Answer<{forbidden: boolean}>>}
 */
export function form_forbidden({ timeout_ms }) {
  const submission = last_submission();
  if (!submission) return Promise.resolve(ok({ forbidden: false }));
  return new Promise((done) => {
    const end = setTimeout(() => done(ok({ forbidden: false })), timeout_ms);
    submission.forbidden.then(() => {
      clearTimeout(end);
      done(ok({ forbidden: true }));
    });
  });
}
