//! The injected page script, joined from `js/` when the crate is built.
//!
//! It lives once per document in an isolated world and is called there with JSON text. It answers with JSON text:
//! `{"ok": …}` or `{"error": {"code", "message", "evidence"}}`, where the code is one of `actions-protocol`. Nothing of
//! a call is ever written into source text.
//!
//! # Functions
//!
//! `js/functions.js` is the table of functions; a function is described in its file. Those named after a primitive take
//! its arguments and give its output, without `frame`, which the driver walks: a call goes to one document, and points
//! and boxes are those of that document's viewport. `timeout_ms` of a primitive that acts is `deadline_ms` here: how
//! long the page may take to let it act, 0 to look once. A locator may have `node` instead of its other keys: the index
//! of an element among the handles of the call. Every answer about a locator has `ambiguous`, `candidate_count`,
//! `identity`, `matched_by`, and where they apply `matched_selector` and `identity_seen`.
//!
//! | function | does |
//! | --- | --- |
//! | `action.prepare` | finds an element, brings it into view, waits until it is rendered, enabled, still and met by a pointer; gives `point`, and with `until` watches the `gesture` that follows |
//! | `action.at_point` | tells what a pointer at `point` meets, `in_frame` when that is a frame; with `until` watches the `gesture` that follows |
//! | `action.at_focus` | with `until` `keydown` watches for a `key` at whatever holds the focus, `in_frame` when that is a frame |
//! | `action.confirm` | waits until a `gesture` has ended and tells what received it |
//! | `frame.owner` | finds a frame element; `matrix` maps the frame's viewport to this one, `reveal` brings it into view |
//! | `frame.enter` | brings a point of a frame into view, maps it, and tells whether a pointer there `enters` the frame |
//! | `frame.pass` | maps points and boxes of a frame to this viewport, without those that cannot be seen or met here |
//! | `frame.under` | maps a point into the frame whose element is handed over, if a pointer there enters it |
//! | `page.arrival` | tells the title of the document and the status it came with |
//! | `text.aim`, `text.verify`, `text.set_value` | focus an element and place the caret; tell whether it holds the text afterwards; give a date or colour its value |
//! | `text.select`, `text.selection`, `dom.focused` | select content; tell how much is selected; tell what has the focus |
//! | `form.checked`, `form.files` | tell whether a control is checked; which files a field holds |
//! | `locator.resolve` | lists every match of a locator |
//! | `viewport.show` | brings an element into view |
//! | `tree.adopt` | takes in the closed shadow roots among the handles; every later call enters them |
//!
//! A refusal `target_not_found` whose evidence has `unreachable` means that a closed shadow root may hold the target:
//! find the closed roots, hand them over to `tree.adopt`, and ask again.
//!
//! # Gestures
//!
//! 1. `action.confirm` with a name for the `gesture`, and right behind it, without waiting for an answer, `action.prepare`
//!    with the same name, `until` (`click`, `dblclick`, `contextmenu`, `auxclick`, `mousemove`, `pointerdown`, or `release`
//!    for the far end of a drag: the event that ends the gesture) and `releases` (how often the button goes up, 1 when
//!    absent). `listening` in the answer says that the confirmation had begun; where it is false, ask for it again and
//!    wait for the answer of a later call before sending input.
//! 2. In a frame: `frame.enter` with the same `until` for each frame around it, from the inside out.
//! 3. The input. The confirmation answers while the last event is delivered, so that neither a navigation nor a dialog
//!    which the event causes can take the answer away; a dialog may be told of a moment earlier, so wait for both. A
//!    gesture that begins on something else is kept from it: `received` is false, `prevented` is true, and the gesture
//!    may be tried again.

/// Installs the script in the world it runs in, and gives the object that holds its functions; running it twice is
/// harmless.
///
/// It should run before the scripts of the page (`Page.addScriptToEvaluateOnNewDocument` with a world name), so that
/// its listeners hear the events of a gesture before those of the page.
pub const SOURCE: &str = include_str!(concat!(env!("OUT_DIR"), "/page_script.js"));

/// A function declaration for `Runtime.callFunctionOn`: takes the name of a function of the script, its arguments as
/// JSON text, and handles; gives the answer as JSON text, or null when the script is not installed.
///
/// Some answers are promises: call it with `awaitPromise`.
pub const CALL: &str = include_str!("../js/driver/call.js");

/// A function declaration for `Runtime.callFunctionOn`: takes a locator as JSON text and handles; gives the element it
/// means as an object, for a handle, or null.
pub const PICK: &str = include_str!("../js/driver/pick.js");
