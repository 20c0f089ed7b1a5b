//! The page port: the sum of what callers can do with a page.

use actions_protocol::ErrorCode;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{
    Accessibility, Call, Clipboard, Dialogs, Elements, Frames, Lifecycle, Navigation, PageTools, Pictures,
    Requests, Scripting, UserInput,
};
use crate::json::from_json;
use crate::{Deadline, Error};

/// A page of a browser.
///
/// Each supertrait is one thing that callers do with a page; a function that needs only one of them can take that one.
/// Every type that implements all of them is a `Page`.
///
/// | trait | what it is for |
/// | --- | --- |
/// | [`Lifecycle`] | page events, closing, bringing to the front, cost counters |
/// | [`Frames`] | address, title, the frame tree, coordinates of frames |
/// | [`Navigation`] | going to addresses and through the history, waiting for documents |
/// | [`Scripting`] | calling the page script and the page's own functions |
/// | [`Elements`] | handles on elements and the frames they show |
/// | [`UserInput`] | mouse, keyboard, drag, files |
/// | [`Dialogs`] | `alert`, `confirm`, `prompt`, `beforeunload` |
/// | [`Requests`] | requests that were stopped before they left the machine |
/// | [`Pictures`] | screenshots |
/// | [`Accessibility`] | the accessibility trees of documents |
/// | [`Clipboard`] | the right to use the clipboard |
/// | [`PageTools`] | tools that the page registers itself |
///
/// Every method that waits takes a deadline. The wait ends early when a dialog opens ([`Error::DialogOpen`]), when the
/// page closes or crashes, and when the browser is lost. While a dialog is open, only [`Dialogs::answer_dialog`],
/// [`Lifecycle::close`] and the methods that do not wait work; every other method fails at once.
pub trait Page:
    Lifecycle
    + Frames
    + Navigation
    + Scripting
    + Elements
    + UserInput
    + Dialogs
    + Requests
    + Pictures
    + Accessibility
    + Clipboard
    + PageTools
{
}

impl<T> Page for T where
    T: Lifecycle
        + Frames
        + Navigation
        + Scripting
        + Elements
        + UserInput
        + Dialogs
        + Requests
        + Pictures
        + Accessibility
        + Clipboard
        + PageTools
{
}

/// The answer of a function of the page script.
#[derive(Deserialize)]
enum Answer<T> {
    #[serde(rename = "ok")]
    Ok(T),
    #[serde(rename = "error")]
    Error(Refusal),
}

#[derive(Deserialize)]
struct Refusal {
    code: ErrorCode,
    message: String,
    #[serde(default)]
    evidence: Value,
}

impl dyn Page + '_ {
    /// Calls a function of the page script and parses its answer. An `error` answer becomes [`Error::Answered`].
    pub async fn call<T: DeserializeOwned>(&self, call: Call<'_>, deadline: Deadline) -> Result<T, Error> {
        let function = call.function;
        let text = self.call_text(call, deadline).await?;
        match from_json::<Answer<T>>(&text) {
            Ok(Answer::Ok(value)) => Ok(value),
            Ok(Answer::Error(refusal)) => Err(Error::Answered {
                function: function.to_owned(),
                code: refusal.code,
                message: refusal.message,
                evidence: refusal.evidence,
            }),
            Err(error) => {
                Err(Error::AnswerUnreadable { method: function.to_owned(), detail: error.to_string() })
            }
        }
    }
}
