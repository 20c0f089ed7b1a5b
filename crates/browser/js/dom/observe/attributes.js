// `dom.observe.attributes`: reads attributes of all matching elements.

import { refuse } from '../../answer/answer.js';
import { within_bytes } from '../../answer/within_bytes.js';
import { is_rendered } from '../../facts/is_rendered.js';
import { boxes } from '../../geometry/boxes.js';
import { visible_parts } from '../../geometry/visible_parts.js';
import { attribute, local_name } from '../../native/element.js';
import { visible_text } from '../../reading/visible_text.js';
import { matches } from '../matches.js';

/** The longest value of one attribute, in characters. */
const MAX_CHARS = 10_000;

/**
 * Reads attributes of every matching element, rendered or not. The name `text` stands for the visible text.
 *
 * @param {{selector: string, attributes: string[], text_contains?: string, text_equals?: string,
 *   max_matches?: number, max_payload_bytes?: number}} args
 * @param {Call} call
 */
export function dom_observe_attributes(args, call) {
  const { selector, attributes, max_matches = 50, max_payload_bytes = 16_000, ...texts } = args;
  const matching = matches(call, selector, texts);
  if ('error' in matching) return matching;
  const listed = matching.ok.slice(0, max_matches);
  const hints = {
    total_count: matching.ok.length,
    narrowing_hints: ['ask for fewer attributes', 'use a narrower selector', 'lower max_matches'],
  };
  const found = [];
  for (const element of listed) {
    const values = attributes.map((name) => [name, value_of(element, name)]);
    const long = values.find(([, value]) => (value ?? '').length > MAX_CHARS);
    if (long) {
      const message = `the attribute \`${long[0]}\` is longer than ${MAX_CHARS} characters`;
      return refuse('payload_too_large', message, { attribute: long[0], max_chars: MAX_CHARS, ...hints });
    }
    found.push({
      tag_name: local_name(element),
      attributes: Object.fromEntries(values),
      visible: is_rendered(element),
      in_viewport: is_in_viewport(element),
    });
  }
  return within_bytes(
    {
      matches: found,
      match_count: listed.length,
      total_count: matching.ok.length,
      visible_count: matching.ok.filter(is_rendered).length,
      truncated: matching.ok.length > listed.length,
    },
    max_payload_bytes,
    hints,
  );
}

/** @param {Element} element */
function is_in_viewport(element) {
  return is_rendered(element) && visible_parts(element, boxes(element)).parts.length > 0;
}

/**
 * @param {Element} element
 * @param {string} name
 * @returns {string | null}
 */
function value_of(element, name) {
  return name === 'text' ? visible_text(element, { max_chars: MAX_CHARS + 1 }).text : attribute(element, name);
}
