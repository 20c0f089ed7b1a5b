import { document_body, has_focus } from '../native/document.js';
import { focus_html, focus_svg } from '../native/element.js';
import { composed_contains } from '../tree/composed_contains.js';
import { active_element } from './active_element.js';

/**
 * Moves the focus to an element without scrolling, and tells whether it, or something in it, holds the focus of its
 * document then.
 *
 * @param {Element} element
 * @returns {boolean}
 */
export function give_focus(element) {
  // A frame that does not have the focus yet would keep it to itself.
  if (!has_focus(document)) window.focus();
  if (element instanceof HTMLElement) focus_html(element, { preventScroll: true });
  else if (element instanceof SVGElement) focus_svg(element, { preventScroll: true });
  return composed_contains(element, active_element());
}

/**
 * Says whether an element, or something in it, has the keyboard. The body of a document that nothing else has the focus
 * in counts only while the document has it.
 *
 * @param {Element} element
 * @returns {boolean}
 */
export function holds_focus(element) {
  const active = active_element();
  if (!composed_contains(element, active)) return false;
  return active !== document_body(document) || has_focus(document);
}
