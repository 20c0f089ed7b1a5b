// Captured properties and methods of `Element` and its subclasses; see `capture.js`.

import { capture_getter, capture_method, capture_setter } from './capture.js';

export const local_name = capture_getter(Element.prototype, 'localName');
export const tag_name = capture_getter(Element.prototype, 'tagName');
export const namespace_uri = capture_getter(Element.prototype, 'namespaceURI');
export const shadow_root = capture_getter(Element.prototype, 'shadowRoot');
export const assigned_slot = capture_getter(Element.prototype, 'assignedSlot');
export const text_assigned_slot = capture_getter(Text.prototype, 'assignedSlot');
export const assigned_nodes = capture_method(HTMLSlotElement.prototype, 'assignedNodes');
export const shadow_host = capture_getter(ShadowRoot.prototype, 'host');
export const element_attributes = capture_getter(Element.prototype, 'attributes');
export const attribute = capture_method(Element.prototype, 'getAttribute');
export const has_attribute = capture_method(Element.prototype, 'hasAttribute');
export const element_matches = capture_method(Element.prototype, 'matches');
export const element_closest = capture_method(Element.prototype, 'closest');
export const check_visibility = capture_method(Element.prototype, 'checkVisibility');
export const bounding_rect = capture_method(Element.prototype, 'getBoundingClientRect');
export const client_rects = capture_method(Element.prototype, 'getClientRects');
export const scroll_into_view = capture_method(Element.prototype, 'scrollIntoView');
/** @type {(element: Element, options: ScrollToOptions) => void} */
export const element_scroll_by = /** @type {any} */ (capture_method(Element.prototype, 'scrollBy'));
export const element_animations = capture_method(Element.prototype, 'getAnimations');
export const client_left = capture_getter(Element.prototype, 'clientLeft');
export const client_top = capture_getter(Element.prototype, 'clientTop');
export const client_width = capture_getter(Element.prototype, 'clientWidth');
export const client_height = capture_getter(Element.prototype, 'clientHeight');
export const scroll_left = capture_getter(Element.prototype, 'scrollLeft');
export const scroll_top = capture_getter(Element.prototype, 'scrollTop');
export const scroll_width = capture_getter(Element.prototype, 'scrollWidth');
export const scroll_height = capture_getter(Element.prototype, 'scrollHeight');
export const offset_width = capture_getter(HTMLElement.prototype, 'offsetWidth');
export const offset_height = capture_getter(HTMLElement.prototype, 'offsetHeight');
export const outer_html = capture_getter(Element.prototype, 'outerHTML');
export const inner_text = capture_getter(HTMLElement.prototype, 'innerText');
export const is_content_editable = capture_getter(HTMLElement.prototype, 'isContentEditable');
export const tab_index = capture_getter(HTMLElement.prototype, 'tabIndex');
export const focus_html = capture_method(HTMLElement.prototype, 'focus');
export const focus_svg = capture_method(SVGElement.prototype, 'focus');
export const set_scroll_top = capture_setter(Element.prototype, 'scrollTop');
export const set_scroll_left = capture_setter(Element.prototype, 'scrollLeft');
export const previous_element = capture_getter(Element.prototype, 'previousElementSibling');
/**
 * The elements that a script has set as labels of an element; null when the browser has no such property.
 *
 * @type {(element: Element) => readonly Element[] | null}
 */
export const labelled_by_elements =
  'ariaLabelledByElements' in Element.prototype
    ? capture_getter(/** @type {any} */ (Element.prototype), 'ariaLabelledByElements')
    : () => null;
