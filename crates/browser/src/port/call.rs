//! Calls of functions of the page script.

use serde::Serialize;

use crate::FrameId;

/// An object of a document, such as an element, held in the world of the page script.
///
/// It is good for as long as its document is; after that, using it is [`Error::HandleStale`](crate::Error::HandleStale).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Handle {
    pub(crate) frame: FrameId,
    pub(crate) object: String,
}

impl Handle {
    /// A handle by the driver's own name for the object.
    pub fn new(frame: FrameId, object: impl Into<String>) -> Self {
        Self { frame, object: object.into() }
    }

    /// The frame whose document holds the object.
    pub fn frame(&self) -> &FrameId {
        &self.frame
    }
}

/// A call of a function of the page script: its name, its arguments as JSON text, and handles. Nothing of it becomes
/// source text.
///
/// ```
/// # use actions_browser::{Call, FrameId};
/// # let main = FrameId::new("main");
/// let call = Call::new(&main, "locator.text_content", &serde_json::json!({ "locator": { "selector": "h1" } })).repeatable();
/// assert_eq!(call.function, "locator.text_content");
/// ```
#[derive(Clone, Debug)]
pub struct Call<'a> {
    /// The frame in whose document the function runs.
    pub frame: &'a FrameId,
    /// The name of the function.
    pub function: &'a str,
    /// Its arguments, as JSON text.
    pub args: String,
    /// Objects of the same document, which the arguments refer to by their index.
    pub nodes: &'a [Handle],
    /// Whether the call may be made again in the new document when its document is replaced under it.
    pub repeatable: bool,
    /// Whether the function changes nothing.
    pub reads: bool,
    /// Whether the answer is waited for although a dialog has opened meanwhile.
    pub outlasts_dialogs: bool,
    /// Whether the page tells of the aftermath of the call, or of the gesture it is about.
    pub hears_aftermath: bool,
}

impl<'a> Call<'a> {
    /// A call with these arguments, in the document the frame has when the call is made.
    pub fn new(frame: &'a FrameId, function: &'a str, args: &impl Serialize) -> Self {
        // Serialising plain data to text fails only for maps with keys that are not strings; the page script then
        // answers that it cannot read the arguments.
        let args = serde_json::to_string(args).unwrap_or_default();
        Self {
            frame,
            function,
            args,
            nodes: &[],
            repeatable: false,
            reads: false,
            outlasts_dialogs: false,
            hears_aftermath: false,
        }
    }

    /// Hands over objects of the document.
    #[must_use]
    pub fn with_nodes(mut self, nodes: &'a [Handle]) -> Self {
        self.nodes = nodes;
        self
    }

    /// Allows the call to be made again in the new document when its document is replaced under it. Only for
    /// functions that change nothing; a call with handles is never repeated.
    #[must_use]
    pub fn repeatable(mut self) -> Self {
        self.repeatable = true;
        self.reading()
    }

    /// Says that the function changes nothing: when it has answered, everything that was done before is told.
    #[must_use]
    pub fn reading(mut self) -> Self {
        self.reads = true;
        self
    }

    /// Waits for the answer although a dialog opens meanwhile: for a function that answers before what opens the dialog,
    /// whose answer may arrive after the news of the dialog. The deadline alone ends the wait.
    #[must_use]
    pub fn outlasting_dialogs(mut self) -> Self {
        self.outlasts_dialogs = true;
        self
    }

    /// Has the page tell, without being asked again, when it has done what this call, or the gesture it is about, made it
    /// do at once; [`Requests::catch_up`](crate::Requests::catch_up) then takes no round trip.
    #[must_use]
    pub fn hearing_aftermath(mut self) -> Self {
        self.hears_aftermath = true;
        self
    }
}
