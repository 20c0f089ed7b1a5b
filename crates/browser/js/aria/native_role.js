// Computes the role that HTML or SVG gives an element without a `role` attribute (HTML-AAM, SVG-AAM).

import {
  attribute,
  element_closest,
  element_matches,
  has_attribute,
  local_name,
  namespace_uri,
} from '../native/element.js';
import { composed_parent } from '../tree/composed_parent.js';
import { has_name_of_its_own } from './has_name_of_its_own.js';

const HTML = 'http://www.w3.org/1999/xhtml';
const SVG = 'http://www.w3.org/2000/svg';

/** Elements whose role depends only on their tag name. */
const BY_NAME = new Map(
  Object.entries({
    address: 'group',
    article: 'article',
    blockquote: 'blockquote',
    button: 'button',
    caption: 'caption',
    code: 'code',
    datalist: 'listbox',
    dd: 'definition',
    del: 'deletion',
    details: 'group',
    dfn: 'term',
    dialog: 'dialog',
    dt: 'term',
    em: 'emphasis',
    fieldset: 'group',
    figure: 'figure',
    form: 'form',
    h1: 'heading',
    h2: 'heading',
    h3: 'heading',
    h4: 'heading',
    h5: 'heading',
    h6: 'heading',
    hgroup: 'group',
    hr: 'separator',
    html: 'document',
    ins: 'insertion',
    main: 'main',
    mark: 'mark',
    math: 'math',
    menu: 'list',
    meter: 'meter',
    nav: 'navigation',
    ol: 'list',
    optgroup: 'group',
    option: 'option',
    output: 'status',
    p: 'paragraph',
    progress: 'progressbar',
    s: 'deletion',
    search: 'search',
    strong: 'strong',
    sub: 'subscript',
    summary: 'button',
    sup: 'superscript',
    textarea: 'textbox',
    time: 'time',
    ul: 'list',
  }),
);

/** Elements that have no role at all. */
const NO_ROLE = new Set(
  `abbr audio base br canvas col colgroup dl embed figcaption head iframe label legend link map meta noscript object param picture script slot source style template title track video wbr`.split(
    ' ',
  ),
);

/** Roles of `input` by type; types that are not listed are text boxes. */
const INPUT = new Map(
  Object.entries({
    button: 'button',
    checkbox: 'checkbox',
    color: '',
    file: 'button',
    hidden: '',
    image: 'button',
    number: 'spinbutton',
    radio: 'radio',
    range: 'slider',
    reset: 'button',
    search: 'searchbox',
    submit: 'button',
  }),
);

/** Elements whose role depends on their attributes or their ancestors. */
const BY_RULE = new Map(
  Object.entries({
    a: link_role,
    area: link_role,
    aside: aside_role,
    footer: (/** @type {Element} */ element) => (in_section(element) ? 'sectionfooter' : 'contentinfo'),
    header: (/** @type {Element} */ element) => (in_section(element) ? 'sectionheader' : 'banner'),
    img: image_role,
    input: input_role,
    li: list_item_role,
    section: (/** @type {Element} */ element) => (has_name_of_its_own(element) ? 'region' : 'generic'),
    select: select_role,
    table: () => 'table',
    tbody: row_group_role,
    td: cell_role,
    tfoot: row_group_role,
    th: header_cell_role,
    thead: row_group_role,
    tr: (/** @type {Element} */ element) => (table_of(element) ? 'row' : 'generic'),
  }),
);

/**
 * Returns the native role of an element; empty when it has none.
 *
 * @param {Element} element
 * @returns {string}
 */
export function native_role(element) {
  const name = local_name(element);
  const namespace = namespace_uri(element);
  if (namespace === SVG) return svg_role(element, name);
  if (namespace !== HTML) return name === 'math' ? 'math' : 'generic';
  const fixed = BY_NAME.get(name);
  if (fixed !== undefined) return fixed;
  const rule = BY_RULE.get(name);
  if (rule) return rule(element);
  return NO_ROLE.has(name) ? '' : 'generic';
}

/**
 * @param {Element} element
 * @param {string} name
 */
function svg_role(element, name) {
  if (name === 'svg') return 'graphics-document';
  if (name === 'a') return has_attribute(element, 'href') || has_attribute(element, 'xlink:href') ? 'link' : 'generic';
  if (name === 'image') return 'img';
  if (/^(circle|ellipse|line|path|polygon|polyline|rect|use|g)$/.test(name)) {
    return has_name_of_its_own(element) || element_matches(element, ':has(> title)') ? 'graphics-symbol' : 'generic';
  }
  return /^(defs|desc|title|metadata|style|script|linearGradient|radialGradient|clipPath|mask)$/.test(name)
    ? ''
    : 'generic';
}

/** @param {Element} element */
function link_role(element) {
  return has_attribute(element, 'href') ? 'link' : 'generic';
}

/** @param {Element} element */
function aside_role(element) {
  const nested = composed_parent(element);
  const inside = nested && element_closest(nested, 'article, aside, nav, section');
  return inside && !has_name_of_its_own(element) ? 'generic' : 'complementary';
}

/**
 * Returns whether a `header` or `footer` belongs to a section and not to the page.
 *
 * @param {Element} element
 */
function in_section(element) {
  const parent = composed_parent(element);
  const sections =
    'article, aside, main, nav, section, [role=article], [role=complementary], [role=main], [role=navigation], [role=region]';
  return parent !== null && element_closest(parent, sections) !== null;
}

/** @param {Element} element */
function image_role(element) {
  const decorative = attribute(element, 'alt') === '' && !has_attribute(element, 'title');
  return decorative && !has_name_of_its_own(element) ? 'none' : 'img';
}

/** @param {Element} element */
function input_role(element) {
  const { type } = /** @type {HTMLInputElement} */ (element);
  if (type === 'checkbox' && has_attribute(element, 'switch')) return 'switch';
  if (/^(text|search|email|tel|url)$/.test(type) && /** @type {HTMLInputElement} */ (element).list) return 'combobox';
  return INPUT.get(type) ?? 'textbox';
}

/** @param {Element} element */
function list_item_role(element) {
  const parent = composed_parent(element);
  const written = parent && (attribute(parent, 'role') ?? '').trim();
  return !written || written === 'list' || written === 'directory' ? 'listitem' : 'generic';
}

/** @param {Element} element */
function select_role(element) {
  const select = /** @type {HTMLSelectElement} */ (element);
  return select.multiple || select.size > 1 ? 'listbox' : 'combobox';
}

/** @param {Element} element */
function row_group_role(element) {
  return table_of(element) ? 'rowgroup' : 'generic';
}

/** @param {Element} element */
function cell_role(element) {
  switch (table_of(element)) {
    case null:
      return 'generic';
    case 'grid':
    case 'treegrid':
      return 'gridcell';
    default:
      return 'cell';
  }
}

/** @param {Element} element */
function header_cell_role(element) {
  const table = table_of(element);
  if (!table) return 'generic';
  switch ((attribute(element, 'scope') ?? '').toLowerCase()) {
    case 'row':
    case 'rowgroup':
      return 'rowheader';
    case 'col':
    case 'colgroup':
      return 'columnheader';
    default:
      return header_by_place(element);
  }
}

/**
 * Distinguishes column headers from row headers by the surrounding cells, as browsers do without a `scope` attribute.
 *
 * @param {Element} element
 */
function header_by_place(element) {
  const row = element_closest(element, 'tr');
  if (!row || element_closest(element, 'thead')) return 'columnheader';
  const cells = /** @type {HTMLTableRowElement} */ (row).cells;
  const only_headers = Array.from(cells).every((cell) => local_name(cell) === 'th');
  return only_headers && cells.length > 0 ? 'columnheader' : 'rowheader';
}

/**
 * Returns the role of the table that an element belongs to; null when it is not part of an exposed table.
 *
 * @param {Element} element
 */
function table_of(element) {
  const table = element_closest(element, 'table');
  if (!table) return null;
  const written = (attribute(table, 'role') ?? '').trim().split(/\s+/)[0];
  if (!written) return 'table';
  return /^(table|grid|treegrid)$/.test(written) ? written : null;
}
