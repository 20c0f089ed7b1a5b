// Captured properties and methods of `Document`, `ShadowRoot` and `DocumentFragment`; see `capture.js`.

import { capture_getter, capture_method } from './capture.js';

export const document_element = capture_getter(Document.prototype, 'documentElement');
export const document_body = capture_getter(Document.prototype, 'body');
export const document_title = capture_getter(Document.prototype, 'title');
export const document_url = capture_getter(Document.prototype, 'URL');
export const base_uri = capture_getter(Node.prototype, 'baseURI');
export const ready_state = capture_getter(Document.prototype, 'readyState');
export const visibility_state = capture_getter(Document.prototype, 'visibilityState');
export const document_active_element = capture_getter(Document.prototype, 'activeElement');
export const shadow_active_element = capture_getter(ShadowRoot.prototype, 'activeElement');
export const has_focus = capture_method(Document.prototype, 'hasFocus');
export const scrolling_element = capture_getter(Document.prototype, 'scrollingElement');
export const document_point = capture_method(Document.prototype, 'elementFromPoint');
export const document_points = capture_method(Document.prototype, 'elementsFromPoint');
export const shadow_points = capture_method(ShadowRoot.prototype, 'elementsFromPoint');
export const shadow_point = capture_method(ShadowRoot.prototype, 'elementFromPoint');
export const document_query_all = capture_method(Document.prototype, 'querySelectorAll');
export const fragment_query_all = capture_method(DocumentFragment.prototype, 'querySelectorAll');
export const element_query_all = capture_method(Element.prototype, 'querySelectorAll');
export const document_query = capture_method(Document.prototype, 'querySelector');
export const element_query = capture_method(Element.prototype, 'querySelector');
export const document_by_id = capture_method(Document.prototype, 'getElementById');
export const fragment_by_id = capture_method(DocumentFragment.prototype, 'getElementById');
export const evaluate_xpath = capture_method(Document.prototype, 'evaluate');
export const create_range = capture_method(Document.prototype, 'createRange');
export const create_tree_walker = capture_method(Document.prototype, 'createTreeWalker');
export const document_selection = capture_method(Document.prototype, 'getSelection');
export const document_animations = capture_method(Document.prototype, 'getAnimations');
