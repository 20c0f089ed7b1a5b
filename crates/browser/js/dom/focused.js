// `dom.focused`: describes the focused element.

import { ok } from '../answer/answer.js';
import { summary } from '../facts/summary.js';
import { active_element } from '../focus/active_element.js';
import { editing_kind, not_editable_reason } from '../form/editable.js';
import { has_focus } from '../native/document.js';

/** Returns the focused element and whether it accepts text. For a frame, the driver must ask again inside the frame. */
export function dom_focused() {
  const element = active_element();
  return ok({
    document_has_focus: has_focus(document),
    element: element && summary(element),
    is_frame: element instanceof HTMLIFrameElement || element instanceof HTMLFrameElement,
    editing: element && editing_kind(element),
    not_editable_reason: element && not_editable_reason(element),
  });
}
