//! What was done to a fake page.

use std::path::PathBuf;

use serde_json::Value;

use crate::{DialogAnswer, Drag, FrameId, Input, Screenshot};

/// Something that was done to a page, in the order in which it was done.
#[derive(Clone, Debug, PartialEq)]
pub enum Performed {
    /// A function of the page script was called.
    Call {
        /// In this frame.
        frame: FrameId,
        /// The function.
        function: String,
        /// Its arguments.
        args: Value,
    },
    /// An element was picked.
    Pick {
        /// In this frame.
        frame: FrameId,
        /// By this locator.
        locator: Value,
    },
    /// Input was sent.
    Input(Vec<Input>),
    /// A drag was performed.
    Drag(Drag),
    /// A navigation was asked for.
    Navigate(String),
    /// A step in the history was asked for.
    Go(i32),
    /// A reload was asked for.
    Reload,
    /// A dialog was answered.
    AnswerDialog(DialogAnswer),
    /// Files were given.
    SetFiles(Vec<PathBuf>),
    /// A picture was taken.
    Screenshot(Screenshot),
    /// A function of the page was called.
    CallPageFunction {
        /// Its path.
        path: String,
        /// Its arguments.
        args: Vec<Value>,
    },
    /// Source text was evaluated.
    Evaluate(String),
    /// The page was brought to the front.
    BringToFront,
    /// The page was closed.
    Close,
}
