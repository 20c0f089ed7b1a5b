//! A call of a page script function.

use serde::Serialize;

use crate::FrameId;

/// A reference to an object of a document, such as an element, in the isolated world of the page script.
///
/// It is valid while its document exists. Using it later fails with [`Error::HandleStale`](crate::Error::HandleStale).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Handle {
    pub(crate) frame: FrameId,
    pub(crate) object: String,
}

impl Handle {
    /// Creates a handle from the driver's id of the object.
    pub fn new(frame: FrameId, object: impl Into<String>) -> Self {
        Self { frame, object: object.into() }
    }

    /// The frame whose document contains the object.
    pub fn frame(&self) -> &FrameId {
        &self.frame
    }
}

/// A call of a page script function: its name, its arguments as JSON text, and handles. No part of it becomes source
/// code.
///
/// ```
/// # use actions_browser::{Call, FrameId};
/// # let main = FrameId::new("main");
/// let call = Call::new(&main, "locator.text_content", &serde_json::json!({ "locator": { "selector": "h1" }
/// })).repeatable(); assert_eq!(call.function, "locator.text_content");
/// ```
#[derive(Clone, Debug)]
pub struct Call<'a> {
    /// The frame in whose document the function runs.
    pub frame: &'a FrameId,
    /// The name of the function.
    pub function: &'a str,
    /// Its arguments, as JSON text.
    pub args: String,
    /// Objects of the same document. The arguments refer to them by index.
    pub nodes: &'a [Handle],
    /// Whether the call may be repeated in the new document if its document is replaced before it ends.
    pub repeatable: bool,
    /// Whether the function changes nothing.
    pub reads: bool,
    /// Whether to keep waiting for the answer when a dialog opens.
    pub outlasts_dialogs: bool,
    /// Whether the page reports the aftermath of the call, or of the gesture that the call concerns.
    pub hears_aftermath: bool,
}

impl<'a> Call<'a> {
    /// Creates a call with these arguments, for the document that the frame has when the call is sent.
    pub fn new(frame: &'a FrameId, function: &'a str, args: &impl Serialize) -> Self {
        // Serialising fails only for maps whose keys are not strings; the page script then reports that it cannot read
        // the arguments.
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

    /// Passes objects of the document.
    #[must_use]
    pub fn with_nodes(mut self, nodes: &'a [Handle]) -> Self {
        self.nodes = nodes;
        self
    }

    /// Allows the call to be repeated in the new document if its document is replaced before it ends. Only for
    /// functions that change nothing; a call with handles is never repeated.
    #[must_use]
    pub fn repeatable(mut self) -> Self {
        self.repeatable = true;
        self.reading()
    }

    /// Declares that the function changes nothing. Its answer then proves that the page has reported the effects of all
    /// earlier calls.
    #[must_use]
    pub fn reading(mut self) -> Self {
        self.reads = true;
        self
    }

    /// Keeps waiting for the answer, until the deadline, when a dialog opens. For a function that answers before the
    /// dialog opens: its answer may arrive after the event of the dialog.
    #[must_use]
    pub fn outlasting_dialogs(mut self) -> Self {
        self.outlasts_dialogs = true;
        self
    }

    /// Makes the page report when the immediate effects of this call, or of the gesture that it concerns, are done.
    /// [`Requests::catch_up`](crate::Requests::catch_up) then needs no round trip.
    #[must_use]
    pub fn hearing_aftermath(mut self) -> Self {
        self.hears_aftermath = true;
        self
    }
}
