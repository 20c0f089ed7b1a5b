// Captured properties and methods of `Node`, `CharacterData` and `EventTarget`; see `capture.js`.

import { capture_getter, capture_method } from './capture.js';

export const node_type = capture_getter(Node.prototype, 'nodeType');
export const parent_node = capture_getter(Node.prototype, 'parentNode');
export const first_child = capture_getter(Node.prototype, 'firstChild');
export const last_child = capture_getter(Node.prototype, 'lastChild');
export const next_sibling = capture_getter(Node.prototype, 'nextSibling');
export const node_text = capture_getter(Node.prototype, 'textContent');
export const is_connected = capture_getter(Node.prototype, 'isConnected');
export const owner_document = capture_getter(Node.prototype, 'ownerDocument');
export const node_contains = capture_method(Node.prototype, 'contains');
export const compare_position = capture_method(Node.prototype, 'compareDocumentPosition');
export const root_node = capture_method(Node.prototype, 'getRootNode');
export const text_data = capture_getter(CharacterData.prototype, 'data');
export const text_length = capture_getter(CharacterData.prototype, 'length');
export const listen = capture_method(EventTarget.prototype, 'addEventListener');
export const unlisten = capture_method(EventTarget.prototype, 'removeEventListener');
export const dispatch = capture_method(EventTarget.prototype, 'dispatchEvent');
