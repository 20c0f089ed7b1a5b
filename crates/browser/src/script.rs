//! The injected page script, joined from `js/` when the crate is built.
//!
//! It is installed once per document, in an isolated world. Calls pass JSON text and get JSON text back: `{"ok": …}` or
//! `{"error": {"code", "message", "evidence"}}`, where the code is one of `actions-protocol`. No part of a call becomes
//! source code.
//!
//! # Functions
//!
//! `js/functions.js` is the table of functions; each function is documented in its file. A function named after a
//! primitive takes the arguments of the primitive and returns its output, except for `frame`: the driver resolves
//! frames, a call runs in one document, and points and boxes are in the viewport of that document. The `timeout_ms` of
//! a primitive that acts is `deadline_ms` here: how long to wait until the element can be acted on; 0 checks once. A
//! locator may have `node` instead of its other keys: the index of an element among the handles of the call. Every
//! answer about a locator has `ambiguous`, `candidate_count`, `identity`, `matched_by`, and where they apply
//! `matched_selector` and
//! `identity_seen`.
//!
//! | function | does |
//! | --- | --- |
//! | `action.prepare` | finds an element, scrolls it into view, waits until it is rendered, enabled, still and hit by a pointer; returns `point`, and with `until` watches the `gesture` that follows |
//! | `action.at_point` | returns the element at `point`, `in_frame` if it is a frame; with `until` watches the `gesture` that follows |
//! | `action.at_focus` | with `until` `keydown` watches for a `key` at the focused element, `in_frame` if it is a frame |
//! | `action.confirm` | waits until a `gesture` has ended and returns what received it |
//! | `attachment.sync` | puts attachments on the page, takes others away, and returns where each stands |
//! | `dom.markup` | returns the HTML of an element as the page has it now |
//! | `frame.owner` | finds a frame element; `matrix` maps the frame's viewport to this one, `reveal` scrolls it into view |
//! | `frame.enter` | scrolls a point of a frame into view, maps it, and returns whether a pointer there `enters` the frame |
//! | `frame.pass` | maps points and boxes of a frame to this viewport, without those that are hidden here |
//! | `frame.under` | maps a point into the frame whose element is passed, if a pointer there enters it |
//! | `page.arrival` | returns the title and the HTTP status of the document |
//! | `text.aim`, `text.verify`, `text.set_value` | focus an element and place the caret; wait until the text has arrived and check that the element contains it; set the value of a date or colour field |
//! | `text.select`, `text.selection`, `dom.focused` | select content; return how much is selected; return the focused element |
//! | `form.checked`, `form.files` | return whether a control is checked, with `wanted` once it stays so; return the files of a field, with `clear` after taking them away |
//! | `locator.resolve` | lists every match of a locator |
//! | `locator.tally` | counts the matches of each of several locators, at one moment |
//! | `viewport.show` | scrolls an element into view |
//! | `tree.adopt` | registers the closed shadow roots among the handles; later calls search them |
//!
//! A refusal `target_not_found` whose evidence has `unreachable` means that a closed shadow root may contain the
//! target: find the closed roots, pass them to `tree.adopt`, and repeat the call.
//!
//! # Gestures
//!
//! 1. Send `action.confirm` with a name for the `gesture`. Without waiting for its answer, send `action.prepare` with the
//!    same name, `until` (the event that ends the gesture: `click`, `dblclick`, `contextmenu`, `auxclick`, `mousemove`,
//!    `pointerdown`, or `release` for the far end of a drag) and `releases` (how many times the button is released; 1 if
//!    absent). `listening` in the answer says whether the confirmation was already waiting. If not, send it again and
//!    wait for the answer of a later call before sending input.
//! 2. In a frame: call `frame.enter` with the same `until` for each frame around it, from the inside out.
//! 3. Send the input. The confirmation answers while the last event is dispatched, so that no navigation or dialog caused
//!    by the event can discard the answer. The event of a dialog may arrive first, so wait for both. A gesture that
//!    begins on another element is blocked: `received` is false, `prevented` is true, and the gesture may be retried.

/// Installs the script in the current document and returns the object with its functions. Running it again in the same
/// document returns the same object.
///
/// It should run before the scripts of the page (`Page.addScriptToEvaluateOnNewDocument` with a world name), so that
/// its listeners receive the events of a gesture before those of the page.
pub const SOURCE: &str = include_str!(concat!(env!("OUT_DIR"), "/page_script.js"));

/// A function declaration for `Runtime.callFunctionOn`: takes the name of a script function, its arguments as JSON
/// text, and handles; returns the answer as JSON text, or null if the script is not installed.
///
/// Some answers are promises, so use `awaitPromise`.
pub const CALL: &str = include_str!("../js/driver/call.js");

/// A function declaration for `Runtime.callFunctionOn`: takes a locator as JSON text, and handles; returns the element
/// that it resolves to, or null.
pub const PICK: &str = include_str!("../js/driver/pick.js");
