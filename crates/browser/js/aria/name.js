// Computes accessible names, following accname 1.2 and HTML-AAM.

import { element_query_all } from '../native/document.js';
import { attribute, element_matches, local_name, namespace_uri } from '../native/element.js';
import { node_text, node_type, text_data } from '../native/node.js';
import { transform_text } from '../reading/transform_text.js';
import { normalize_text } from '../reading/normalize_text.js';
import { flat_children } from '../tree/flat_children.js';
import { hidden_part, is_hidden } from './is_hidden.js';
import { elements_by_ids, label_elements } from './label_elements.js';
import { pseudo_text, replaced_text } from './pseudo_text.js';
import { role } from './role.js';

/**
 * @typedef {object} Visit the state of the name computation
 * @property {Set<Node>} seen nodes that have already contributed their text
 * @property {boolean} referenced whether the walk followed `aria-labelledby`
 * @property {boolean} inside whether the element contributes to the name of another one
 * @property {boolean} [nested] whether it does so as part of another element's content
 * @property {boolean} hidden_too whether hidden content counts, because the reference or the label itself is hidden
 * @property {boolean} as_written whether to ignore `text-transform`
 * @property {{left: number}} budget how many more nodes may be visited
 */

/** Roles that are named by their content. */
const NAMED_BY_CONTENT = new Set(
  `button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio row
   rowheader switch tab term tooltip treeitem`.split(/\s+/),
);

/** Roles of widgets and regions whose content is not part of the name of an element around them. */
const APART = new Set(
  `alert alertdialog application dialog grid log marquee menu menubar radiogroup status tablist tabpanel timer
   toolbar tree treegrid`.split(/\s+/),
);

/** The items below an item of a tree or a menu, which have names of their own. */
const ITEMS_BELOW = '[role=treeitem] [role=group], [role=menuitem] [role=group]';

/** Inline elements that are separated from the surrounding text by spaces. */
const STANDS_APART =
  'img, svg, iframe, video, audio, canvas, object, embed, input, select, textarea, meter, progress, [role=cell], [role=gridcell], [role=rowheader], [role=columnheader]';

/** How many nodes one name may visit, and how long a name may be. */
const MAX_NODES = 5_000;
const MAX_CHARS = 10_000;

const SVG = 'http://www.w3.org/2000/svg';

/**
 * Returns the normalised accessible name of an element; empty when it has none.
 *
 * @param {Element} element
 * @param {boolean} [as_written] ignores `text-transform` and uses the letters of the DOM
 * @returns {string}
 */
export function accessible_name(element, as_written = false) {
  /** @type {Visit} */
  const visit = {
    seen: new Set(),
    referenced: false,
    inside: false,
    hidden_too: false,
    as_written,
    budget: { left: MAX_NODES },
  };
  return normalize_text(alternative(element, visit)).slice(0, MAX_CHARS);
}

/**
 * Returns the text alternative of an element, trying the sources in the order of the specification.
 *
 * @param {Element} element
 * @param {Visit} visit
 * @returns {string}
 */
function alternative(element, visit) {
  if (visit.seen.has(element) || visit.budget.left <= 0) return '';
  visit.seen.add(element);
  visit.budget.left -= 1;
  if (visit.inside && !visit.hidden_too) {
    const hidden = hidden_part(element);
    if (hidden === 'everything') return '';
    if (hidden === 'own text') return content_text(element, visit, false);
  }

  const its_role = role(element);
  const by_reference = visit.referenced ? '' : referenced_text(element, visit);
  if (by_reference) return by_reference;

  if (visit.inside) {
    const value = embedded_value(element, its_role, visit);
    if (value !== null) return value;
  }

  const label = attribute(element, 'aria-label');
  // A slot without a role cannot be named.
  if (label && label.trim() !== '' && !(element instanceof HTMLSlotElement && its_role === '')) return label;

  if (its_role !== 'none') {
    const own = native_text(element, visit) ?? replaced_text(element);
    if (own !== null && own.trim() !== '') return own;
  }

  const is_apart = visit.nested && (APART.has(its_role) || element_matches(element, ITEMS_BELOW));
  if ((visit.inside && !is_apart) || NAMED_BY_CONTENT.has(its_role)) {
    const content = content_text(element, visit);
    if (content.trim() !== '' || (visit.inside && content !== '')) return content;
  }
  return its_role === 'none' ? '' : tooltip(element);
}

/**
 * Joins the text of the elements that `aria-labelledby` refers to.
 *
 * @param {Element} element
 * @param {Visit} visit
 */
function referenced_text(element, visit) {
  const texts = label_elements(element).map((found) => {
    // An element that refers to itself is not part of another name: neither its value nor its visibility matters.
    const itself = found === element;
    if (itself) visit.seen.delete(element);
    return alternative(found, {
      seen: visit.seen,
      referenced: true,
      inside: !itself,
      hidden_too: is_hidden(found),
      as_written: visit.as_written,
      budget: visit.budget,
    });
  });
  return texts.map(normalize_text).filter(Boolean).join(' ');
}

/**
 * Returns the value of a control that is part of another element's name; null when the element is not such a control.
 *
 * @param {Element} element
 * @param {string} its_role
 * @param {Visit} visit
 * @returns {string | null}
 */
function embedded_value(element, its_role, visit) {
  switch (its_role) {
    case 'textbox':
    case 'searchbox':
      if (element instanceof HTMLInputElement) return element.type === 'password' ? '' : element.value;
      if (element instanceof HTMLTextAreaElement) return element.value;
      return content_text(element, visit);
    case 'combobox':
    case 'listbox':
      return chosen_text(element, visit);
    case 'slider':
    case 'spinbutton':
    case 'scrollbar':
    case 'meter':
    case 'progressbar':
      return range_text(element);
    default:
      return null;
  }
}

/**
 * @param {Element} element
 * @param {Visit} visit
 */
function chosen_text(element, visit) {
  if (element instanceof HTMLSelectElement) {
    return Array.from(element.selectedOptions, (option) => option.label || (node_text(option) ?? '')).join(' ');
  }
  if (element instanceof HTMLInputElement) return element.value;
  const options = element_query_all(element, '[role=option][aria-selected=true]');
  // The options of a closed combobox are hidden.
  if (options.length > 0) return Array.from(options, (option) => alternative(option, { ...visit, hidden_too: true })).join(' ');
  return role(element) === 'combobox' ? content_text(element, visit) : '';
}

/** @param {Element} element */
function range_text(element) {
  const stated = attribute(element, 'aria-valuetext') ?? attribute(element, 'aria-valuenow');
  if (stated) return stated;
  if (element instanceof HTMLInputElement) return element.value;
  if (element instanceof HTMLMeterElement || element instanceof HTMLProgressElement) return String(element.value);
  return null;
}

/**
 * Returns the name that HTML or SVG provides: a label, a caption, an alternative text; null when there is none.
 *
 * @param {Element} element
 * @param {Visit} visit
 * @returns {string | null}
 */
function native_text(element, visit) {
  if (namespace_uri(element) === SVG) return svg_title(element);
  const labelled = visit.inside ? null : label_text(element, visit);
  if (labelled) return labelled;
  switch (local_name(element)) {
    case 'input':
      return input_text(/** @type {HTMLInputElement} */ (element));
    case 'textarea':
      return attribute(element, 'title') || attribute(element, 'placeholder');
    case 'img':
    case 'area':
      return attribute(element, 'alt');
    case 'fieldset':
      return child_text(element, 'legend', visit);
    case 'table':
      return child_text(element, 'caption', visit) || attribute(element, 'summary');
    case 'figure':
      return child_text(element, 'figcaption', visit);
    case 'optgroup':
      return attribute(element, 'label');
    case 'option':
      return attribute(element, 'label');
    default:
      return null;
  }
}

/** @param {Element} element */
function svg_title(element) {
  for (const child of flat_children(element)) {
    if (node_type(child) === Node.ELEMENT_NODE && local_name(/** @type {Element} */ (child)) === 'title') {
      return node_text(child);
    }
  }
  return attribute(element, 'xlink:title');
}

/**
 * Joins the text of the labels of a form control.
 *
 * @param {Element} element
 * @param {Visit} visit
 */
function label_text(element, visit) {
  // Controls of a form can shadow any property of the form, including `labels`.
  if (element instanceof HTMLFormElement) return null;
  const labels = /** @type {{labels?: NodeListOf<HTMLLabelElement> | null}} */ (element).labels;
  if (!(labels instanceof NodeList) || labels.length === 0) return null;
  const texts = [];
  for (const label of labels) {
    texts.push(alternative(label, { ...visit, inside: true, hidden_too: visit.hidden_too || is_hidden(label) }));
  }
  return texts.map(normalize_text).filter(Boolean).join(' ');
}

/** @param {HTMLInputElement} input */
function input_text(input) {
  switch (input.type) {
    case 'submit':
      return attribute(input, 'value') ?? 'Submit';
    case 'reset':
      return attribute(input, 'value') ?? 'Reset';
    case 'button':
      return attribute(input, 'value');
    case 'image':
      return attribute(input, 'alt') || attribute(input, 'value') || attribute(input, 'title') || 'Submit';
    case 'file':
      return attribute(input, 'title') || (input.multiple ? 'Choose Files' : 'Choose File');
    default:
      return attribute(input, 'title') || attribute(input, 'placeholder');
  }
}

/**
 * Returns the text of the first child with a tag name: the legend of a fieldset, the caption of a table or a figure.
 *
 * @param {Element} element
 * @param {string} name
 * @param {Visit} visit
 */
function child_text(element, name, visit) {
  for (const child of flat_children(element)) {
    if (node_type(child) !== Node.ELEMENT_NODE) continue;
    const inner = /** @type {Element} */ (child);
    if (local_name(inner) === name) {
      return alternative(inner, { ...visit, inside: true, hidden_too: visit.hidden_too || is_hidden(inner) });
    }
  }
  return null;
}

/**
 * Joins the text of an element's content, generated content included.
 *
 * @param {Element} element
 * @param {Visit} visit
 * @param {boolean} [own_text] false leaves out the element's own text, which `visibility` hides
 * @returns {string}
 */
function content_text(element, visit, own_text = true) {
  if (!visit.hidden_too && getComputedStyle(element).contentVisibility === 'hidden') return '';
  let text = pseudo_text(element, '::before');
  for (const child of owned_children(element)) {
    if (visit.budget.left <= 0 || text.length > MAX_CHARS) break;
    if (node_type(child) === Node.TEXT_NODE) {
      visit.budget.left -= 1;
      if (own_text) text += painted(element, text_data(/** @type {Text} */ (child)).slice(0, MAX_CHARS), visit);
    } else if (node_type(child) === Node.ELEMENT_NODE) {
      text += spaced_text(/** @type {Element} */ (child), visit);
    }
  }
  return text + pseudo_text(element, '::after');
}

/**
 * @param {Element} element
 * @param {string} text
 * @param {Visit} visit
 */
function painted(element, text, visit) {
  return visit.as_written || text.trim() === '' ? text : transform_text(text, getComputedStyle(element).textTransform);
}

/**
 * Returns the text of a child, surrounded by spaces unless the child is inline.
 *
 * @param {Element} child
 * @param {Visit} visit
 */
function spaced_text(child, visit) {
  if (local_name(child) === 'br') return ' ';
  if (element_matches(child, 'script, style, template, noscript, rt, rp')) return '';
  const text = alternative(child, { ...visit, inside: true, nested: true });
  // A control without text still stands between the words around it.
  if (text === '') return element_matches(child, 'input, select, textarea') ? ' ' : '';
  const { display } = getComputedStyle(child);
  const flows = display === 'inline' || display === 'contents';
  return flows && !element_matches(child, STANDS_APART) ? text : ` ${text} `;
}

/**
 * Returns the children of an element together with those that `aria-owns` adds.
 *
 * @param {Element} element
 * @returns {Node[]}
 */
function owned_children(element) {
  const owns = attribute(element, 'aria-owns');
  return owns ? [...flat_children(element), ...elements_by_ids(element, owns)] : flat_children(element);
}

/** @param {Element} element */
function tooltip(element) {
  const title = attribute(element, 'title');
  if (title && title.trim() !== '') return title;
  return attribute(element, 'aria-placeholder') ?? '';
}
