//! Records what Chromium answers, for the fake driver.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use actions_engine::browser::{
    Accessibility, AccessibleNode, Announcement, AnsweredDialog, Call, Clipboard, Counters, Deadline, Dialog,
    DialogAnswer, DialogPolicy, Dialogs, Download, Drag, DragKind, Elements, Error, Frame, FrameId, Frames,
    Handle, HeardEvent, Input, Lifecycle, LoadState, Navigated, Navigation, NavigationFailure,
    NavigationMark, Page, PageEvent, PageTool, PageToolAnswer, PageTools, Pictures, Point, Requests,
    Screenshot, Scripting, UserInput,
};
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::broadcast;

use crate::case::ORIGIN;

/// The function of the page script by which the engine waits for a change.
pub(crate) const CHANGE: &str = "page.change";

/// A navigation, among the questions of the driver.
pub(crate) const NAVIGATE: &str = "navigate";

/// A dialog that was answered by policy, among the questions of the driver. The page opened it after the question before.
pub(crate) const DIALOG: &str = "dialog";

/// A question of the driver and what the page answered.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Answered {
    /// The function of the page script, or `page:` and a function of the page.
    pub(crate) call: String,
    /// What it was about: the arguments without those that count time, and without the name of a gesture.
    pub(crate) about: Value,
    /// The answer; none when it did not come before something else did.
    pub(crate) answer: Option<Value>,
}

impl Answered {
    /// A question that has no answer yet.
    pub(crate) fn asked(call: &str, args: &Value) -> Self {
        let mut about = args.clone();
        if let Some(args) = about.as_object_mut() {
            args.retain(|key, _| !key.ends_with("_ms") && !matches!(key.as_str(), "act" | "gesture"));
        }
        Self { call: call.to_owned(), about, answer: None }
    }

    /// Whether the call only waits for a change: on the fake driver nothing changes by itself.
    fn is_wait(&self) -> bool {
        self.call == CHANGE
    }

    /// Whether the question may have been asked any number of times while the engine waited.
    pub(crate) fn is_look(&self) -> bool {
        matches!(self.call.as_str(), "locator.resolve" | "locator.tally")
    }

    pub(crate) fn read(path: &Path) -> VecDeque<Self> {
        let text =
            std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

/// A page that keeps what it was asked.
pub(crate) struct Recorder {
    page: Arc<dyn Page>,
    asked: Mutex<Vec<Answered>>,
}

impl Recorder {
    pub(crate) fn new(page: Arc<dyn Page>) -> Self {
        Self { page, asked: Mutex::default() }
    }

    pub(crate) fn write(&self, path: &Path, origin: &str) {
        let mut lines: Vec<String> = Vec::new();
        for asked in self.asked.lock().unwrap().iter().filter(|asked| !asked.is_wait()) {
            let line = json!(asked).to_string() + "\n";
            if !(asked.is_look() && lines.last() == Some(&line)) {
                lines.push(line);
            }
        }
        std::fs::write(path, lines.concat().replace(origin, ORIGIN)).unwrap();
    }

    fn ask(&self, call: &str, args: &Value) -> usize {
        let mut asked = self.asked.lock().unwrap();
        asked.push(Answered::asked(call, args));
        asked.len() - 1
    }

    fn answer(&self, index: usize, answer: Value) {
        self.asked.lock().unwrap()[index].answer = Some(answer);
    }
}

#[async_trait]
impl Accessibility for Recorder {
    async fn accessible_tree(
        &self,
        frame: &FrameId,
        deadline: Deadline,
    ) -> Result<Vec<AccessibleNode>, Error> {
        self.page.accessible_tree(frame, deadline).await
    }

    async fn accessible_nodes(
        &self,
        frame: &FrameId,
        role: Option<&str>,
        name: Option<&str>,
        deadline: Deadline,
    ) -> Result<Vec<AccessibleNode>, Error> {
        self.page.accessible_nodes(frame, role, name, deadline).await
    }

    async fn numbered_node(&self, frame: &FrameId, node: i64, deadline: Deadline) -> Result<Handle, Error> {
        self.page.numbered_node(frame, node, deadline).await
    }

    async fn number_of(&self, element: &Handle, deadline: Deadline) -> Result<i64, Error> {
        self.page.number_of(element, deadline).await
    }

    async fn watch_announcements(&self, deadline: Deadline) -> Result<(), Error> {
        self.page.watch_announcements(deadline).await
    }

    fn announcements(&self, since: u64) -> Vec<Announcement> {
        self.page.announcements(since)
    }
}

#[async_trait]
impl Clipboard for Recorder {
    async fn permit_clipboard(&self, permitted: bool, deadline: Deadline) -> Result<(), Error> {
        self.page.permit_clipboard(permitted, deadline).await
    }
}

#[async_trait]
impl PageTools for Recorder {
    async fn page_tools(&self, deadline: Deadline) -> Result<Option<Vec<PageTool>>, Error> {
        self.page.page_tools(deadline).await
    }

    async fn call_page_tool(
        &self,
        frame: &FrameId,
        name: &str,
        input: &Value,
        deadline: Deadline,
    ) -> Result<PageToolAnswer, Error> {
        self.page.call_page_tool(frame, name, input, deadline).await
    }
}

#[async_trait]
impl Lifecycle for Recorder {
    fn events(&self) -> broadcast::Receiver<PageEvent> {
        self.page.events()
    }

    fn opener(&self) -> Option<FrameId> {
        self.page.opener()
    }

    fn is_closed(&self) -> bool {
        self.page.is_closed()
    }

    async fn settle_opened(&self, deadline: Deadline) {
        self.page.settle_opened(deadline).await;
    }

    fn downloads(&self) -> Result<Vec<Download>, Error> {
        self.page.downloads()
    }

    async fn close(&self, deadline: Deadline) -> Result<(), Error> {
        self.page.close(deadline).await
    }

    async fn bring_to_front(&self, deadline: Deadline) -> Result<(), Error> {
        self.page.bring_to_front(deadline).await
    }

    fn counters(&self) -> Counters {
        self.page.counters()
    }
}

#[async_trait]
impl Frames for Recorder {
    fn url(&self) -> String {
        self.page.url()
    }

    async fn title(&self, deadline: Deadline) -> Result<String, Error> {
        self.page.title(deadline).await
    }

    fn main_frame(&self) -> FrameId {
        self.page.main_frame()
    }

    fn frames(&self) -> Vec<Frame> {
        self.page.frames()
    }

    async fn wait_for_paint(&self, frame: &FrameId, deadline: Deadline) -> Result<(), Error> {
        self.page.wait_for_paint(frame, deadline).await
    }

    async fn to_viewport(
        &self,
        frame: &FrameId,
        points: &[Point],
        deadline: Deadline,
    ) -> Result<Vec<Point>, Error> {
        self.page.to_viewport(frame, points, deadline).await
    }
}

#[async_trait]
impl Navigation for Recorder {
    async fn navigate(&self, url: &str, until: LoadState, deadline: Deadline) -> Result<Navigated, Error> {
        let navigated = self.page.navigate(url, until, deadline).await;
        // The page of the fake driver accepts every navigation unless a test scripts a failure.
        if let Err(Error::NavigationFailed { reason: NavigationFailure::Stayed, .. }) = &navigated {
            let index = self.ask(NAVIGATE, &json!(url));
            self.answer(index, json!("stayed"));
        }
        navigated
    }

    async fn go(&self, steps: i32, until: LoadState, deadline: Deadline) -> Result<Navigated, Error> {
        self.page.go(steps, until, deadline).await
    }

    async fn reload(&self, until: LoadState, deadline: Deadline) -> Result<Navigated, Error> {
        self.page.reload(until, deadline).await
    }

    fn navigation_mark(&self) -> NavigationMark {
        self.page.navigation_mark()
    }

    fn navigating_to(&self) -> Option<String> {
        self.page.navigating_to()
    }

    async fn wait_for_navigation(
        &self,
        since: NavigationMark,
        until: LoadState,
        deadline: Deadline,
    ) -> Result<Navigated, Error> {
        self.page.wait_for_navigation(since, until, deadline).await
    }

    async fn settle_navigation(
        &self,
        since: NavigationMark,
        deadline: Deadline,
    ) -> Result<Option<Navigated>, Error> {
        self.page.settle_navigation(since, deadline).await
    }

    async fn wait_for_load(
        &self,
        frame: &FrameId,
        until: LoadState,
        deadline: Deadline,
    ) -> Result<(), Error> {
        self.page.wait_for_load(frame, until, deadline).await
    }
}

#[async_trait]
impl Scripting for Recorder {
    async fn call_text(&self, call: Call<'_>, deadline: Deadline) -> Result<String, Error> {
        let index = self.ask(call.function, &serde_json::from_str(&call.args).unwrap());
        let text = self.page.call_text(call, deadline).await?;
        self.answer(index, serde_json::from_str(&text).unwrap());
        Ok(text)
    }

    async fn hear(&self, heard: &[HeardEvent], deadline: Deadline) -> Result<(), Error> {
        self.page.hear(heard, deadline).await
    }

    async fn call_page_function(
        &self,
        path: &str,
        args: &[Value],
        deadline: Deadline,
    ) -> Result<Value, Error> {
        let called = self.page.call_page_function(path, args, deadline).await;
        let answer = match &called {
            Ok(value) => json!({ "ok": value }),
            Err(Error::ScriptFailed { message, .. }) => json!({ "error": { "message": message } }),
            // A function that is not there is not asked.
            Err(_) => return called,
        };
        let index = self.ask(&format!("page:{path}"), &json!(args));
        self.answer(index, answer);
        called
    }

    async fn evaluate(&self, source: &str, deadline: Deadline) -> Result<Value, Error> {
        self.page.evaluate(source, deadline).await
    }
}

#[async_trait]
impl Elements for Recorder {
    async fn pick(
        &self,
        frame: &FrameId,
        locator: &Value,
        nodes: &[Handle],
        deadline: Deadline,
    ) -> Result<Option<Handle>, Error> {
        self.page.pick(frame, locator, nodes, deadline).await
    }

    fn release(&self, handles: &[Handle]) {
        self.page.release(handles);
    }

    async fn content_frame(&self, element: &Handle, deadline: Deadline) -> Result<Option<FrameId>, Error> {
        self.page.content_frame(element, deadline).await
    }

    async fn frame_element(&self, frame: &FrameId, deadline: Deadline) -> Result<Handle, Error> {
        self.page.frame_element(frame, deadline).await
    }

    async fn closed_shadow_roots(&self, frame: &FrameId, deadline: Deadline) -> Result<Vec<Handle>, Error> {
        self.page.closed_shadow_roots(frame, deadline).await
    }
}

#[async_trait]
impl UserInput for Recorder {
    async fn input(&self, events: &[Input], deadline: Deadline) -> Result<(), Error> {
        self.page.input(events, deadline).await
    }

    async fn drag(&self, drag: &Drag, deadline: Deadline) -> Result<DragKind, Error> {
        self.page.drag(drag, deadline).await
    }

    async fn set_files(&self, input: &Handle, files: &[PathBuf], deadline: Deadline) -> Result<(), Error> {
        self.page.set_files(input, files, deadline).await
    }
}

#[async_trait]
impl Dialogs for Recorder {
    fn dialog(&self) -> Option<Dialog> {
        self.page.dialog()
    }

    fn set_dialog_policy(&self, policy: DialogPolicy) -> DialogPolicy {
        self.page.set_dialog_policy(policy)
    }

    async fn answer_dialog(&self, answer: DialogAnswer, deadline: Deadline) -> Result<(), Error> {
        self.page.answer_dialog(answer, deadline).await
    }

    fn take_answered(&self) -> Vec<AnsweredDialog> {
        let answered = self.page.take_answered();
        for AnsweredDialog { dialog, .. } in &answered {
            let index = self.ask(DIALOG, &json!(dialog.url));
            self.answer(index, json!({ "kind": dialog.kind.as_str(), "message": dialog.message }));
        }
        answered
    }
}

#[async_trait]
impl Requests for Recorder {
    fn take_refused(&self) -> Vec<actions_engine::browser::Refused> {
        self.page.take_refused()
    }

    async fn catch_up(&self, deadline: Deadline) -> Result<(), Error> {
        self.page.catch_up(deadline).await
    }
}

#[async_trait]
impl Pictures for Recorder {
    async fn screenshot(&self, what: Screenshot, deadline: Deadline) -> Result<Vec<u8>, Error> {
        self.page.screenshot(what, deadline).await
    }
}
