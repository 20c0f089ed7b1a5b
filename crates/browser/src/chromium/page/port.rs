//! The page as a port.

use std::path::PathBuf;

use async_trait::async_trait;
use chromiumoxide_cdp::cdp::browser_protocol::target::GetTargetInfoParams;
use serde_json::Value;
use tokio::sync::broadcast;

use super::ChromiumPage;
use crate::{
    AnsweredDialog, Call, Counters, Deadline, Dialog, DialogAnswer, DialogPolicy, Drag, DragKind, Error,
    Frame, FrameId, Handle, Input, LoadState, Navigated, NavigationMark, Page, PageEvent, Point, Refused,
    Screenshot,
};

#[async_trait]
impl Page for ChromiumPage {
    fn url(&self) -> String {
        self.state().main_frame().map(|frame| frame.url.clone()).unwrap_or_default()
    }

    async fn title(&self, deadline: Deadline) -> Result<String, Error> {
        if let Some(error) = self.ending() {
            return Err(error);
        }
        let command = GetTargetInfoParams { target_id: None };
        Ok(self.session.send(command, deadline).await?.target_info.title)
    }

    fn main_frame(&self) -> FrameId {
        self.state().main.clone()
    }

    fn frames(&self) -> Vec<Frame> {
        self.state().list()
    }

    fn counters(&self) -> Counters {
        self.session.counters()
    }

    fn events(&self) -> broadcast::Receiver<PageEvent> {
        self.events.subscribe()
    }

    async fn catch_up(&self, deadline: Deadline) -> Result<(), Error> {
        self.heard_everything(deadline).await
    }

    fn take_refused(&self) -> Vec<Refused> {
        self.refused_since_last()
    }

    fn take_answered(&self) -> Vec<AnsweredDialog> {
        std::mem::take(&mut self.state().answered_dialogs)
    }

    fn is_closed(&self) -> bool {
        self.ending().is_some()
    }

    async fn close(&self, deadline: Deadline) -> Result<(), Error> {
        self.close_page(deadline).await
    }

    async fn navigate(&self, url: &str, until: LoadState, deadline: Deadline) -> Result<Navigated, Error> {
        self.navigate_to(url, until, deadline).await
    }

    async fn go(&self, steps: i32, until: LoadState, deadline: Deadline) -> Result<Navigated, Error> {
        self.go_in_history(steps, until, deadline).await
    }

    async fn reload(&self, until: LoadState, deadline: Deadline) -> Result<Navigated, Error> {
        self.load_again(until, deadline).await
    }

    fn navigation_mark(&self) -> NavigationMark {
        self.mark()
    }

    fn navigating_to(&self) -> Option<String> {
        self.underway_to()
    }

    async fn wait_for_navigation(
        &self,
        since: NavigationMark,
        until: LoadState,
        deadline: Deadline,
    ) -> Result<Navigated, Error> {
        self.navigated_since(since, until, deadline).await
    }

    async fn wait_for_load(
        &self,
        frame: &FrameId,
        until: LoadState,
        deadline: Deadline,
    ) -> Result<(), Error> {
        self.loaded(frame, until, deadline).await
    }

    async fn call_text(&self, call: Call<'_>, deadline: Deadline) -> Result<String, Error> {
        self.call_script(call, deadline).await
    }

    async fn pick(
        &self,
        frame: &FrameId,
        locator: &Value,
        nodes: &[Handle],
        deadline: Deadline,
    ) -> Result<Option<Handle>, Error> {
        self.pick_element(frame, locator, nodes, deadline).await
    }

    fn release(&self, handles: &[Handle]) {
        self.release_handles(handles);
    }

    async fn content_frame(&self, element: &Handle, deadline: Deadline) -> Result<Option<FrameId>, Error> {
        self.frame_shown_by(element, deadline).await
    }

    async fn frame_element(&self, frame: &FrameId, deadline: Deadline) -> Result<Handle, Error> {
        self.element_showing(frame, deadline).await
    }

    async fn closed_shadow_roots(&self, frame: &FrameId, deadline: Deadline) -> Result<Vec<Handle>, Error> {
        self.find_closed_roots(frame, deadline).await
    }

    async fn to_viewport(
        &self,
        frame: &FrameId,
        points: &[Point],
        deadline: Deadline,
    ) -> Result<Vec<Point>, Error> {
        self.map_to_viewport(frame, points, deadline).await
    }

    async fn input(&self, events: &[Input], deadline: Deadline) -> Result<(), Error> {
        self.dispatch(events, deadline).await
    }

    async fn drag(&self, drag: &Drag, deadline: Deadline) -> Result<DragKind, Error> {
        self.perform_drag(drag, deadline).await
    }

    async fn set_files(&self, input: &Handle, files: &[PathBuf], deadline: Deadline) -> Result<(), Error> {
        self.give_files(input, files, deadline).await
    }

    async fn screenshot(&self, what: Screenshot, deadline: Deadline) -> Result<Vec<u8>, Error> {
        self.take_screenshot(what, deadline).await
    }

    async fn bring_to_front(&self, deadline: Deadline) -> Result<(), Error> {
        self.to_front(deadline).await
    }

    fn dialog(&self) -> Option<Dialog> {
        self.open_dialog()
    }

    fn set_dialog_policy(&self, policy: DialogPolicy) -> DialogPolicy {
        self.answer_dialogs_by(policy)
    }

    async fn answer_dialog(&self, answer: DialogAnswer, deadline: Deadline) -> Result<(), Error> {
        self.handle_dialog(answer, deadline).await
    }

    async fn call_page_function(
        &self,
        path: &str,
        args: &[Value],
        deadline: Deadline,
    ) -> Result<Value, Error> {
        self.call_on_page(path, args, deadline).await
    }

    async fn evaluate(&self, source: &str, deadline: Deadline) -> Result<Value, Error> {
        self.evaluate_source(source, deadline).await
    }
}
