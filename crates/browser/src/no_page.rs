//! A page that is not there, for calls that need none.

use std::path::PathBuf;

use actions_protocol::ErrorCode;
use async_trait::async_trait;
use serde_json::Value;
use tokio::sync::broadcast;

use crate::{
    Accessibility, AccessibleNode, Announcement, AnsweredDialog, Call, Clipboard, Counters, Deadline, Dialog,
    DialogAnswer, DialogPolicy, Dialogs, Download, Drag, DragKind, Elements, Error, Frame, FrameId, Frames,
    Handle, HeardEvent, Input, Lifecycle, LoadState, Navigated, Navigation, NavigationMark, PageEvent,
    PageTool, PageToolAnswer, PageTools, Pictures, Point, Refused, Requests, Screenshot, Scripting,
    UserInput,
};

/// A page that is not there. It has no document and no events, and whatever needs a document fails with
/// `capability_unavailable`. Calls that send requests without a page run on it, so that they need no browser.
#[derive(Clone, Debug)]
pub struct NoPage {
    /// It is kept open, because a listener takes a closed channel for the loss of the page.
    events: broadcast::Sender<PageEvent>,
}

impl Default for NoPage {
    fn default() -> Self {
        Self { events: broadcast::Sender::new(1) }
    }
}

/// The address of a page without a document.
const NOWHERE: &str = "about:blank";

fn none<T>(wanted: &str) -> Result<T, Error> {
    Err(Error::Answered {
        function: wanted.to_owned(),
        code: ErrorCode::CapabilityUnavailable,
        message: format!("the call has no page, and {wanted} needs one"),
        evidence: Value::Null,
    })
}

#[async_trait]
impl Lifecycle for NoPage {
    fn events(&self) -> broadcast::Receiver<PageEvent> {
        self.events.subscribe()
    }

    fn opener(&self) -> Option<FrameId> {
        None
    }

    fn is_closed(&self) -> bool {
        false
    }

    async fn settle_opened(&self, _deadline: Deadline) {}

    fn downloads(&self) -> Result<Vec<Download>, Error> {
        Ok(Vec::new())
    }

    async fn close(&self, _deadline: Deadline) -> Result<(), Error> {
        Ok(())
    }

    async fn bring_to_front(&self, _deadline: Deadline) -> Result<(), Error> {
        none("bringing it to the front")
    }

    fn counters(&self) -> Counters {
        Counters::default()
    }
}

#[async_trait]
impl Frames for NoPage {
    fn url(&self) -> String {
        NOWHERE.to_owned()
    }

    async fn title(&self, _deadline: Deadline) -> Result<String, Error> {
        Ok(String::new())
    }

    fn main_frame(&self) -> FrameId {
        FrameId::new("none")
    }

    fn frames(&self) -> Vec<Frame> {
        Vec::new()
    }

    async fn wait_for_paint(&self, _frame: &FrameId, _deadline: Deadline) -> Result<(), Error> {
        none("a picture")
    }

    async fn to_viewport(
        &self,
        _frame: &FrameId,
        _points: &[Point],
        _deadline: Deadline,
    ) -> Result<Vec<Point>, Error> {
        none("a position")
    }
}

#[async_trait]
impl Navigation for NoPage {
    async fn navigate(&self, _url: &str, _until: LoadState, _deadline: Deadline) -> Result<Navigated, Error> {
        none("a navigation")
    }

    async fn go(&self, _steps: i32, _until: LoadState, _deadline: Deadline) -> Result<Navigated, Error> {
        none("a navigation")
    }

    async fn reload(&self, _until: LoadState, _deadline: Deadline) -> Result<Navigated, Error> {
        none("a navigation")
    }

    fn navigation_mark(&self) -> NavigationMark {
        NavigationMark(0)
    }

    fn navigating_to(&self) -> Option<String> {
        None
    }

    async fn wait_for_navigation(
        &self,
        _since: NavigationMark,
        _until: LoadState,
        _deadline: Deadline,
    ) -> Result<Navigated, Error> {
        none("a navigation")
    }

    async fn settle_navigation(
        &self,
        _since: NavigationMark,
        _deadline: Deadline,
    ) -> Result<Option<Navigated>, Error> {
        Ok(None)
    }

    async fn wait_for_load(
        &self,
        _frame: &FrameId,
        _until: LoadState,
        _deadline: Deadline,
    ) -> Result<(), Error> {
        Ok(())
    }
}

#[async_trait]
impl Scripting for NoPage {
    async fn call_text(&self, call: Call<'_>, _deadline: Deadline) -> Result<String, Error> {
        none(&format!("`{}`", call.function))
    }

    async fn call_page_function(
        &self,
        path: &str,
        _args: &[Value],
        _deadline: Deadline,
    ) -> Result<Value, Error> {
        none(&format!("`{path}`"))
    }

    async fn hear(&self, _heard: &[HeardEvent], _deadline: Deadline) -> Result<(), Error> {
        Ok(())
    }

    async fn evaluate(&self, _source: &str, _deadline: Deadline) -> Result<Value, Error> {
        none("a script")
    }
}

#[async_trait]
impl Elements for NoPage {
    async fn pick(
        &self,
        _frame: &FrameId,
        _locator: &Value,
        _nodes: &[Handle],
        _deadline: Deadline,
    ) -> Result<Option<Handle>, Error> {
        none("an element")
    }

    fn release(&self, _handles: &[Handle]) {}

    async fn content_frame(&self, _element: &Handle, _deadline: Deadline) -> Result<Option<FrameId>, Error> {
        none("an element")
    }

    async fn frame_element(&self, _frame: &FrameId, _deadline: Deadline) -> Result<Handle, Error> {
        none("an element")
    }

    async fn closed_shadow_roots(&self, _frame: &FrameId, _deadline: Deadline) -> Result<Vec<Handle>, Error> {
        none("an element")
    }
}

#[async_trait]
impl UserInput for NoPage {
    async fn input(&self, _events: &[Input], _deadline: Deadline) -> Result<(), Error> {
        none("input")
    }

    async fn drag(&self, _drag: &Drag, _deadline: Deadline) -> Result<DragKind, Error> {
        none("input")
    }

    async fn set_files(&self, _input: &Handle, _files: &[PathBuf], _deadline: Deadline) -> Result<(), Error> {
        none("input")
    }
}

#[async_trait]
impl PageTools for NoPage {
    async fn page_tools(&self, _deadline: Deadline) -> Result<Option<Vec<PageTool>>, Error> {
        Ok(None)
    }

    async fn call_page_tool(
        &self,
        _frame: &FrameId,
        name: &str,
        _input: &Value,
        _deadline: Deadline,
    ) -> Result<PageToolAnswer, Error> {
        none(&format!("the tool `{name}` of a page"))
    }
}

#[async_trait]
impl Dialogs for NoPage {
    fn dialog(&self) -> Option<Dialog> {
        None
    }

    fn set_dialog_policy(&self, _policy: DialogPolicy) -> DialogPolicy {
        DialogPolicy::default()
    }

    async fn answer_dialog(&self, _answer: DialogAnswer, _deadline: Deadline) -> Result<(), Error> {
        Err(Error::NoDialog)
    }

    fn take_answered(&self) -> Vec<AnsweredDialog> {
        Vec::new()
    }
}

#[async_trait]
impl Requests for NoPage {
    fn take_refused(&self) -> Vec<Refused> {
        Vec::new()
    }

    async fn catch_up(&self, _deadline: Deadline) -> Result<(), Error> {
        Ok(())
    }
}

#[async_trait]
impl Pictures for NoPage {
    async fn screenshot(&self, _what: Screenshot, _deadline: Deadline) -> Result<Vec<u8>, Error> {
        none("a picture")
    }
}

#[async_trait]
impl Accessibility for NoPage {
    async fn accessible_tree(
        &self,
        _frame: &FrameId,
        _deadline: Deadline,
    ) -> Result<Vec<AccessibleNode>, Error> {
        none("the accessibility tree")
    }

    async fn accessible_nodes(
        &self,
        _frame: &FrameId,
        _role: Option<&str>,
        _name: Option<&str>,
        _deadline: Deadline,
    ) -> Result<Vec<AccessibleNode>, Error> {
        none("the accessibility tree")
    }

    async fn numbered_node(
        &self,
        _frame: &FrameId,
        _node: i64,
        _deadline: Deadline,
    ) -> Result<Handle, Error> {
        none("an element")
    }

    async fn number_of(&self, _element: &Handle, _deadline: Deadline) -> Result<i64, Error> {
        none("an element")
    }

    async fn watch_announcements(&self, _deadline: Deadline) -> Result<(), Error> {
        none("announcements")
    }

    fn announcements(&self, _since: u64) -> Vec<Announcement> {
        Vec::new()
    }
}

#[async_trait]
impl Clipboard for NoPage {
    async fn permit_clipboard(&self, _permitted: bool, _deadline: Deadline) -> Result<(), Error> {
        none("the clipboard")
    }
}
