// `form.files`: reads the files of a file input.

import { ok, refuse } from '../answer/answer.js';
import { target_label } from '../facts/describe.js';
import { disabled_reason } from '../facts/disabled_reason.js';
import { choose } from '../locator/choose.js';
import { cut_text } from '../reading/cut_text.js';
import { inert_reason } from './inert_reason.js';

/**
 * Returns the files of a file input and whether it accepts several. An input that is disabled or inert is refused,
 * unless it has already been given its files (`given`): a page may disable it afterwards, or open a dialog over it.
 *
 * @param {{locator: Locator, given?: boolean}} args
 * @param {Call} call
 */
export function form_files({ locator, given = false }, call) {
  const chosen = choose(locator, call);
  if ('error' in chosen) return chosen;
  const { element, found } = chosen.ok;
  const disabled = given ? null : (disabled_reason(element) ?? inert_reason(element));
  const field = element instanceof HTMLInputElement && element.type === 'file' ? element : null;
  if (!field || disabled) {
    return refuse('target_not_actionable', `\`${target_label(element)}\` is ${field ? 'disabled or inert' : 'not a file input'}, so it accepts no files`, {
      reason: disabled?.reason ?? 'not_a_file_field',
      ...(disabled ? { by: disabled.by } : {}),
      ...found,
    });
  }
  const files = Array.from(field.files ?? [], ({ name, size }) => ({ name: cut_text(name, 255), size_bytes: size }));
  return ok({ files, multiple: field.multiple, ...found });
}
