// Finds elements by ARIA role.

import { canonical_role, role } from '../aria/role.js';
import { query_pierced } from '../css/query_pierced.js';

/** The elements that can have each role without a `role` attribute. Roles that are not listed need the attribute. */
const SOURCES = new Map(
  Object.entries({
    article: 'article',
    banner: 'header',
    blockquote: 'blockquote',
    button: 'button, input, summary',
    caption: 'caption',
    cell: 'td, th',
    checkbox: 'input',
    code: 'code',
    columnheader: 'th',
    combobox: 'select, input',
    complementary: 'aside',
    contentinfo: 'footer',
    definition: 'dd',
    deletion: 'del, s',
    dialog: 'dialog',
    document: 'html',
    emphasis: 'em',
    figure: 'figure',
    form: 'form',
    'graphics-document': 'svg',
    'graphics-symbol': 'svg *',
    gridcell: 'td',
    group: 'address, details, fieldset, hgroup, optgroup',
    heading: 'h1, h2, h3, h4, h5, h6',
    img: 'img, image',
    insertion: 'ins',
    link: 'a, area',
    list: 'ul, ol, menu',
    listbox: 'select, datalist',
    listitem: 'li',
    main: 'main',
    mark: 'mark',
    math: 'math',
    meter: 'meter',
    navigation: 'nav',
    option: 'option',
    paragraph: 'p',
    progressbar: 'progress',
    radio: 'input',
    region: 'section',
    row: 'tr',
    sectionfooter: 'footer',
    sectionheader: 'header',
    rowgroup: 'tbody, thead, tfoot',
    rowheader: 'th',
    search: 'search',
    searchbox: 'input',
    separator: 'hr',
    slider: 'input',
    spinbutton: 'input',
    status: 'output',
    strong: 'strong',
    subscript: 'sub',
    superscript: 'sup',
    switch: 'input',
    table: 'table',
    term: 'dfn, dt',
    textbox: 'input, textarea',
    time: 'time',
  }),
);

/** Roles that any element can have, so that every element must be examined. */
const ANYWHERE = new Set(['generic', 'none']);

/**
 * Returns the elements that have a role, hidden or not.
 *
 * @param {Root} root
 * @param {ShadowRoot[]} shadows
 * @param {string} wanted
 * @returns {Element[]}
 */
export function role_candidates(root, shadows, wanted) {
  const name = canonical_role(wanted.trim().toLowerCase());
  const source = ANYWHERE.has(name) ? '*' : SOURCES.get(name);
  const candidates = query_pierced(root, shadows, source ? `:is([role], ${source})` : '[role]');
  return candidates.filter((element) => role(element) === name);
}
