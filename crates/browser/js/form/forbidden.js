import { ok } from '../answer/answer.js';
import { last_submission } from './submission.js';

/**
 * Waits for the word that the policy of the page forbids what was submitted last, which the browser finds out after the
 * event. A document that makes room for another does not answer: its form was sent.
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
