// `dom.list_sections`: lists the sections of a page.

import { within_bytes } from '../answer/within_bytes.js';
import { query_pierced } from '../css/query_pierced.js';
import { refuse_selector } from '../css/refuse_selector.js';
import { is_rendered } from '../facts/is_rendered.js';
import { boxes } from '../geometry/boxes.js';
import { union } from '../geometry/rect.js';
import { visible_parts } from '../geometry/visible_parts.js';
import { document_url } from '../native/document.js';
import { attribute, bounding_rect, local_name } from '../native/element.js';
import { cut_text } from '../reading/cut_text.js';
import { visible_text } from '../reading/visible_text.js';
import { shadow_roots } from '../tree/shadow_roots.js';
import { matches } from './matches.js';

const HEADINGS = 'h1, h2, h3, h4, h5, h6, [role=heading], legend, caption, summary';

/**
 * Lists the sections of a page with their headings and positions.
 *
 * @param {{selector?: string, heading_selector?: string, item_selector?: string, text_contains?: string,
 *   max_sections?: number, max_heading_length?: number, max_payload_bytes?: number}} args
 * @param {Call} call
 */
export function dom_list_sections(args, call) {
  const { selector = 'section, [role=region]', text_contains, max_sections = 100, max_payload_bytes = 16_000 } = args;
  const bad =
    refuse_selector('heading_selector', args.heading_selector) ?? refuse_selector('item_selector', args.item_selector);
  if (bad) return bad;
  const matching = matches(call, selector, { text_contains }, is_rendered);
  if ('error' in matching) return matching;
  const found = matching.ok;
  return within_bytes(
    {
      sections: found.slice(0, max_sections).map((element, index) => section(element, index, args)),
      section_count: found.length,
      truncated: found.length > max_sections,
      scroll_y: scrollY,
      viewport_height: innerHeight,
      url: document_url(document),
    },
    max_payload_bytes,
    {
      section_count: found.length,
      narrowing_hints: ['use a narrower selector', 'lower max_sections', 'add text_contains'],
    },
  );
}

/**
 * @param {Element} element
 * @param {number} index
 * @param {{heading_selector?: string, item_selector?: string, max_heading_length?: number}} args
 */
function section(element, index, { heading_selector, item_selector, max_heading_length = 120 }) {
  const painted = boxes(element);
  const { top, bottom, height } = union(painted);
  return {
    index,
    tag_name: local_name(element),
    heading: heading(element, heading_selector ?? HEADINGS, max_heading_length),
    text: visible_text(element, { max_chars: 240, max_nodes: 2_000 }).text,
    scroll_y: Math.round(bounding_rect(element).top + scrollY),
    top,
    bottom,
    height,
    visible: visible_parts(element, painted).parts.length > 0,
    item_count: item_selector === undefined ? 0 : below(element, item_selector).length,
  };
}

/**
 * Returns the `aria-label` of a section, or its first heading that is short enough, or the start of its text.
 *
 * @param {Element} element
 * @param {string} selector
 * @param {number} max_length
 */
function heading(element, selector, max_length) {
  const label = (attribute(element, 'aria-label') ?? '').trim();
  if (label !== '') return cut_text(label, max_length);
  for (const candidate of below(element, selector)) {
    const { text, truncated } = visible_text(candidate, { max_chars: max_length, max_nodes: 500 });
    if (text !== '' && !truncated) return text;
  }
  return visible_text(element, { max_chars: max_length, max_nodes: 500 }).text;
}

/**
 * @param {Element} element
 * @param {string} selector
 */
function below(element, selector) {
  return query_pierced(element, shadow_roots(element).roots, selector);
}
