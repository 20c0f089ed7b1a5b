//! The injected page script, joined from `js/` when the crate is built.
//!
//! It lives once per document in an isolated world and is called there with JSON text. It answers with JSON text:
//! `{"ok": …}` or `{"error": {"code", "message", "evidence"}}`, where the code is one of `actions-protocol`. Nothing of
//! a call is ever written into source text.

/// Installs the script in the world it runs in; running it twice is harmless.
///
/// It should run before the scripts of the page (`Page.addScriptToEvaluateOnNewDocument` with a world name), so that
/// its listeners hear the events of a gesture before those of the page.
pub const SOURCE: &str = include_str!(concat!(env!("OUT_DIR"), "/page_script.js"));

/// A function declaration for `Runtime.callFunctionOn`: takes the name of a function of the script, its arguments as
/// JSON text, and handles; gives the answer as JSON text, or null when the script is not installed.
///
/// Some answers are promises: call it with `awaitPromise`.
pub const CALL: &str = include_str!("../js/driver/call.js");

/// A function declaration for `Runtime.callFunctionOn`: takes a locator as JSON text and handles; gives the first
/// element it means as an object, for a handle, or null.
pub const PICK: &str = include_str!("../js/driver/pick.js");
