//! A page as a port.

use std::path::PathBuf;

use actions_protocol::ErrorCode;
use async_trait::async_trait;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::sync::broadcast;

use super::{Call, Drag, DragKind, Frame, Handle, Input, PageEvent, Point, Screenshot};
use crate::cdp::from_json;
use crate::{
    AnsweredDialog, Counters, Deadline, Dialog, DialogAnswer, DialogPolicy, Error, FrameId, LoadState,
    Navigated, NavigationMark, Refused,
};

/// A page.
///
/// Every method that waits takes a deadline, and ends early when a dialog opens ([`Error::DialogOpen`]), the page
/// closes or crashes, or the browser is lost. While a dialog is open, everything but [`Page::answer_dialog`],
/// [`Page::close`] and what needs no waiting is refused at once.
#[async_trait]
pub trait Page: Send + Sync {
    /// The address of the main frame's document.
    fn url(&self) -> String;

    /// The title of the document.
    async fn title(&self, deadline: Deadline) -> Result<String, Error>;

    /// The main frame.
    fn main_frame(&self) -> FrameId;

    /// All frames, the main frame first, each after the frame it is part of.
    fn frames(&self) -> Vec<Frame>;

    /// What talking to this page cost so far.
    fn counters(&self) -> Counters;

    /// Listens to what happens from now on.
    fn events(&self) -> broadcast::Receiver<PageEvent>;

    /// Waits until everything that input has set off in the page so far is known: what it wants to go to
    /// ([`Page::navigating_to`]) or to open ([`Page::take_refused`]). It costs a round trip at most, and none after a gesture
    /// whose aftermath the page tells of by itself ([`Call::hearing_aftermath`]).
    async fn catch_up(&self, _deadline: Deadline) -> Result<(), Error> {
        Ok(())
    }

    /// The requests of this page, and of the pages it opened, that were stopped since the last time somebody asked.
    fn take_refused(&self) -> Vec<Refused>;

    /// The dialogs that the policy answered since the last time somebody asked.
    fn take_answered(&self) -> Vec<AnsweredDialog>;

    /// Whether the page is closed or its browser gone.
    fn is_closed(&self) -> bool;

    /// Closes the page without asking it.
    async fn close(&self, deadline: Deadline) -> Result<(), Error>;

    /// Goes to an address and waits until the document there is as far as wanted.
    async fn navigate(&self, url: &str, until: LoadState, deadline: Deadline) -> Result<Navigated, Error>;

    /// Goes back (`-1`), forward (`1`) or further in the history.
    async fn go(&self, steps: i32, until: LoadState, deadline: Deadline) -> Result<Navigated, Error>;

    /// Loads the document again.
    async fn reload(&self, until: LoadState, deadline: Deadline) -> Result<Navigated, Error>;

    /// This moment, for [`Page::wait_for_navigation`]: take it before doing what may navigate.
    fn navigation_mark(&self) -> NavigationMark;

    /// The address the main frame is on its way to, if it wants to go somewhere and has not come to a document yet.
    fn navigating_to(&self) -> Option<String>;

    /// Waits for a navigation of the main frame after the mark, and until its document is as far as wanted.
    async fn wait_for_navigation(
        &self,
        since: NavigationMark,
        until: LoadState,
        deadline: Deadline,
    ) -> Result<Navigated, Error>;

    /// Waits until the document a frame has now is as far as wanted.
    async fn wait_for_load(&self, frame: &FrameId, until: LoadState, deadline: Deadline)
    -> Result<(), Error>;

    /// Calls a function of the page script in a frame and gives its answer as JSON text; see
    /// [`call`](trait.Page.html#method.call) for one that reads the answer.
    async fn call_text(&self, call: Call<'_>, deadline: Deadline) -> Result<String, Error>;

    /// Gives a handle on the element a locator means; `None` if there is none.
    async fn pick(
        &self,
        frame: &FrameId,
        locator: &Value,
        nodes: &[Handle],
        deadline: Deadline,
    ) -> Result<Option<Handle>, Error>;

    /// Lets go of handles. Those of a document that is replaced are let go by themselves.
    fn release(&self, handles: &[Handle]);

    /// The frame that a frame element shows.
    async fn content_frame(&self, element: &Handle, deadline: Deadline) -> Result<Option<FrameId>, Error>;

    /// The element that shows a frame, in the document of the frame's parent.
    async fn frame_element(&self, frame: &FrameId, deadline: Deadline) -> Result<Handle, Error>;

    /// The closed shadow roots of a frame's document that no call was told of before, outer ones first; from then on the
    /// page script enters them. It costs a walk over what is new in the document.
    async fn closed_shadow_roots(&self, frame: &FrameId, deadline: Deadline) -> Result<Vec<Handle>, Error>;

    /// Maps points of a frame's viewport to the main frame's viewport.
    async fn to_viewport(
        &self,
        frame: &FrameId,
        points: &[Point],
        deadline: Deadline,
    ) -> Result<Vec<Point>, Error>;

    /// Sends input events one behind the other and returns when the page has taken all of them.
    async fn input(&self, events: &[Input], deadline: Deadline) -> Result<(), Error>;

    /// Drags with the main button, as an HTML drag and drop if the page starts one.
    async fn drag(&self, drag: &Drag, deadline: Deadline) -> Result<DragKind, Error>;

    /// Gives files to a file input.
    async fn set_files(&self, input: &Handle, files: &[PathBuf], deadline: Deadline) -> Result<(), Error>;

    /// Takes a picture.
    async fn screenshot(&self, what: Screenshot, deadline: Deadline) -> Result<Vec<u8>, Error>;

    /// Brings the page to the front of its window.
    async fn bring_to_front(&self, deadline: Deadline) -> Result<(), Error>;

    /// The dialog that blocks the page.
    fn dialog(&self) -> Option<Dialog>;

    /// Has dialogs answered as they open from now on, and the one that is open; gives the policy until now. A dialog
    /// that is answered blocks nobody: what waits goes on waiting for its answer.
    fn set_dialog_policy(&self, policy: DialogPolicy) -> DialogPolicy;

    /// Answers the dialog and waits until it is gone.
    async fn answer_dialog(&self, answer: DialogAnswer, deadline: Deadline) -> Result<(), Error>;

    /// Calls a function the page itself has put at a dotted path of its global object, with JSON arguments, in the
    /// page's own world.
    async fn call_page_function(
        &self,
        path: &str,
        args: &[Value],
        deadline: Deadline,
    ) -> Result<Value, Error>;

    /// Evaluates source text in the page's own world. For debugging only: the text is code.
    async fn evaluate(&self, source: &str, deadline: Deadline) -> Result<Value, Error>;
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
    /// Calls a function of the page script and reads its answer; a refusal is [`Error::Answered`].
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
