//! The page port on a fake page.

use std::path::PathBuf;
use std::sync::PoisonError;

use async_trait::async_trait;
use serde_json::{Value, json};
use tokio::sync::broadcast;

use super::{FakePage, Performed};
use crate::{
    Accessibility, AccessibleNode, Announcement, AnsweredDialog, Call, Clipboard, Counters, Deadline, Dialog,
    DialogAnswer, DialogPolicy, Dialogs, Download, Drag, DragKind, Elements, Error, Frame, FrameId, Frames,
    Handle, HeardEvent, Input, Lifecycle, LoadState, Navigated, Navigation, NavigationFailure,
    NavigationMark, PageEvent, PageTool, PageToolAnswer, PageTools, Pictures, Point, Refused, Requests,
    Screenshot, Scripting, UserInput,
};

#[async_trait]
impl Lifecycle for FakePage {
    fn events(&self) -> broadcast::Receiver<PageEvent> {
        self.listen()
    }

    fn opener(&self) -> Option<FrameId> {
        None
    }

    fn is_closed(&self) -> bool {
        self.state().ended.is_some()
    }

    async fn settle_opened(&self, _deadline: Deadline) {}

    fn downloads(&self) -> Result<Vec<Download>, Error> {
        self.state().refuse_if_blocked().map(|()| Vec::new())
    }

    async fn close(&self, _deadline: Deadline) -> Result<(), Error> {
        match self.state().ended.clone() {
            Some(Error::PageClosed) => return Ok(()),
            Some(error) => return Err(error),
            None => {}
        }
        self.update(|state| state.note(Performed::Close));
        self.end(Error::PageClosed);
        Ok(())
    }

    async fn bring_to_front(&self, _deadline: Deadline) -> Result<(), Error> {
        self.perform(Performed::BringToFront)
    }

    fn counters(&self) -> Counters {
        self.state().counters
    }
}

#[async_trait]
impl Frames for FakePage {
    fn url(&self) -> String {
        self.state().frames[0].frame.url.clone()
    }

    async fn title(&self, _deadline: Deadline) -> Result<String, Error> {
        let state = self.state();
        state.ended.clone().map_or_else(|| Ok(state.title.clone()), Err)
    }

    fn main_frame(&self) -> FrameId {
        self.state().frames[0].frame.id.clone()
    }

    fn frames(&self) -> Vec<Frame> {
        self.state().frames.iter().map(|known| known.frame.clone()).collect()
    }

    async fn wait_for_paint(&self, frame: &FrameId, _deadline: Deadline) -> Result<(), Error> {
        self.state().frame(frame).map(drop)
    }

    async fn to_viewport(
        &self,
        frame: &FrameId,
        points: &[Point],
        _deadline: Deadline,
    ) -> Result<Vec<Point>, Error> {
        let offset = self.state().frame(frame)?.offset;
        Ok(points.iter().map(|point| Point::new(point.x + offset.x, point.y + offset.y)).collect())
    }
}

#[async_trait]
impl Navigation for FakePage {
    async fn navigate(&self, url: &str, _until: LoadState, deadline: Deadline) -> Result<Navigated, Error> {
        let arrival = {
            let mut state = self.state();
            match state.refuse_if_blocked() {
                Ok(()) | Err(Error::PageCrashed) => {}
                Err(error) => return Err(error),
            }
            state.note(Performed::Navigate(url.to_owned()));
            state.arrival.clone()
        };
        let arrival = arrival.lock().unwrap_or_else(PoisonError::into_inner)(url);
        let arrived = self.come(arrival, "the new document", deadline).await?;
        let arrived = arrived.map_err(|reason| Error::NavigationFailed { url: url.to_owned(), reason })?;
        let navigated = self.update(|state| state.arrive(&arrived, false));
        self.emit(PageEvent::Navigated(navigated.clone()));
        Ok(navigated)
    }

    async fn go(&self, steps: i32, _until: LoadState, _deadline: Deadline) -> Result<Navigated, Error> {
        self.perform(Performed::Go(steps))?;
        let navigated = self.update(|state| {
            let wanted = i64::try_from(state.at).unwrap_or(i64::MAX) + i64::from(steps);
            let found = usize::try_from(wanted).ok().filter(|index| *index < state.history.len());
            let Some(index) = found else {
                let url = state.frames[0].frame.url.clone();
                return Err(Error::NavigationFailed { url, reason: NavigationFailure::EndOfHistory });
            };
            state.at = index;
            state.navigations += 1;
            let url = state.history[index].clone();
            Ok(state.show(&url, false))
        })?;
        self.emit(PageEvent::Navigated(navigated.clone()));
        Ok(navigated)
    }

    async fn reload(&self, _until: LoadState, _deadline: Deadline) -> Result<Navigated, Error> {
        self.perform(Performed::Reload)?;
        let navigated = self.update(|state| {
            state.navigations += 1;
            let url = state.frames[0].frame.url.clone();
            state.show(&url, false)
        });
        self.emit(PageEvent::Navigated(navigated.clone()));
        Ok(navigated)
    }

    fn navigation_mark(&self) -> NavigationMark {
        NavigationMark(self.state().navigations)
    }

    fn navigating_to(&self) -> Option<String> {
        None
    }

    async fn wait_for_navigation(
        &self,
        since: NavigationMark,
        _until: LoadState,
        deadline: Deadline,
    ) -> Result<Navigated, Error> {
        let happened =
            |state: &super::page::FakeState| state.last.clone().filter(|_| state.navigations > since.0);
        self.until("the new document", deadline, happened).await
    }

    async fn settle_navigation(
        &self,
        since: NavigationMark,
        _deadline: Deadline,
    ) -> Result<Option<Navigated>, Error> {
        let state = self.state();
        let last = state.last.clone().filter(|navigated| !navigated.same_document);
        Ok(last.filter(|_| state.navigations > since.0))
    }

    async fn wait_for_load(
        &self,
        frame: &FrameId,
        _until: LoadState,
        _deadline: Deadline,
    ) -> Result<(), Error> {
        self.state().frame(frame).map(drop)
    }
}

#[async_trait]
impl Scripting for FakePage {
    async fn call_text(&self, call: Call<'_>, deadline: Deadline) -> Result<String, Error> {
        let args: Value = serde_json::from_str(&call.args).unwrap_or(Value::Null);
        self.state().frame(call.frame)?;
        self.perform(Performed::Call {
            frame: call.frame.clone(),
            function: call.function.to_owned(),
            args: args.clone(),
        })?;
        Ok(self.answer(call.function, &args, deadline).await?.to_string())
    }

    async fn call_page_function(
        &self,
        path: &str,
        args: &[Value],
        deadline: Deadline,
    ) -> Result<Value, Error> {
        self.perform(Performed::CallPageFunction { path: path.to_owned(), args: args.to_vec() })?;
        let name = format!("page:{path}");
        if !self.state().answers.contains_key(&name) {
            return Err(Error::PageFunctionMissing { path: path.to_owned() });
        }
        let answer = self.answer(&name, &json!(args), deadline).await?;
        value_of(path, answer)
    }

    async fn hear(&self, heard: &[HeardEvent], deadline: Deadline) -> Result<(), Error> {
        if !self.state().answers.contains_key("hear") {
            return Ok(());
        }
        let answer = self.answer("hear", &json!(heard), deadline).await?;
        value_of("the request to hear events", answer).map(drop)
    }

    async fn evaluate(&self, source: &str, deadline: Deadline) -> Result<Value, Error> {
        self.perform(Performed::Evaluate(source.to_owned()))?;
        let answer = self.answer("evaluate", &Value::from(source), deadline).await?;
        value_of("the script", answer)
    }
}

#[async_trait]
impl Elements for FakePage {
    async fn pick(
        &self,
        frame: &FrameId,
        locator: &Value,
        _nodes: &[Handle],
        deadline: Deadline,
    ) -> Result<Option<Handle>, Error> {
        self.state().frame(frame)?;
        self.perform(Performed::Pick { frame: frame.clone(), locator: locator.clone() })?;
        let answer = self.answer("pick", locator, deadline).await?;
        Ok(answer["ok"].as_str().map(|object| Handle::new(frame.clone(), object)))
    }

    fn release(&self, _handles: &[Handle]) {}

    /// A handle named after a frame is the element that shows it.
    async fn content_frame(&self, element: &Handle, _deadline: Deadline) -> Result<Option<FrameId>, Error> {
        let state = self.state();
        state.refuse_if_blocked()?;
        let shown = FrameId::new(element.object.as_str());
        Ok(state.frame(&shown).is_ok().then_some(shown))
    }

    async fn frame_element(&self, frame: &FrameId, _deadline: Deadline) -> Result<Handle, Error> {
        let state = self.state();
        let known = state.frame(frame)?;
        let parent = known.frame.parent.clone();
        let parent = parent.ok_or_else(|| Error::FrameNotRendered { frame: frame.clone() })?;
        Ok(Handle::new(parent, frame.as_str()))
    }

    async fn closed_shadow_roots(&self, frame: &FrameId, _deadline: Deadline) -> Result<Vec<Handle>, Error> {
        self.state().frame(frame).map(|_| Vec::new())
    }
}

#[async_trait]
impl UserInput for FakePage {
    async fn input(&self, events: &[Input], _deadline: Deadline) -> Result<(), Error> {
        self.perform(Performed::Input(events.to_vec()))
    }

    async fn drag(&self, drag: &Drag, _deadline: Deadline) -> Result<DragKind, Error> {
        self.perform(Performed::Drag(drag.clone()))?;
        Ok(self.state().drag_kind)
    }

    async fn set_files(&self, _input: &Handle, files: &[PathBuf], _deadline: Deadline) -> Result<(), Error> {
        if let Some(missing) = files.iter().find(|file| !file.is_file()) {
            return Err(Error::FileNotFound { path: missing.clone() });
        }
        self.perform(Performed::SetFiles(files.to_vec()))
    }
}

#[async_trait]
impl Dialogs for FakePage {
    fn dialog(&self) -> Option<Dialog> {
        self.state().dialog.clone()
    }

    fn set_dialog_policy(&self, policy: DialogPolicy) -> DialogPolicy {
        let (before, answered) = self.update(|state| {
            let before = std::mem::replace(&mut state.dialog_policy, policy);
            (before, state.answer_by_policy())
        });
        if answered {
            self.emit(PageEvent::DialogClosed);
        }
        before
    }

    async fn answer_dialog(&self, answer: DialogAnswer, _deadline: Deadline) -> Result<(), Error> {
        self.update(|state| {
            if let Some(error) = &state.ended {
                return Err(error.clone());
            }
            state.dialog.take().ok_or(Error::NoDialog)?;
            state.note(Performed::AnswerDialog(answer));
            Ok(())
        })?;
        self.emit(PageEvent::DialogClosed);
        Ok(())
    }

    fn take_answered(&self) -> Vec<AnsweredDialog> {
        self.update(|state| std::mem::take(&mut state.answered_dialogs))
    }
}

#[async_trait]
impl Requests for FakePage {
    fn take_refused(&self) -> Vec<Refused> {
        Vec::new()
    }

    async fn catch_up(&self, _deadline: Deadline) -> Result<(), Error> {
        Ok(())
    }
}

#[async_trait]
impl Pictures for FakePage {
    async fn screenshot(&self, what: Screenshot, deadline: Deadline) -> Result<Vec<u8>, Error> {
        self.perform(Performed::Screenshot(what))?;
        let picture = self.state().picture.clone();
        self.come(picture, "the picture", deadline).await
    }
}

/// Documents of fake pages have no accessibility tree.
#[async_trait]
impl Accessibility for FakePage {
    async fn accessible_tree(
        &self,
        frame: &FrameId,
        _deadline: Deadline,
    ) -> Result<Vec<AccessibleNode>, Error> {
        self.state().frame(frame).map(|_| Vec::new())
    }

    async fn accessible_nodes(
        &self,
        frame: &FrameId,
        _role: Option<&str>,
        _name: Option<&str>,
        _deadline: Deadline,
    ) -> Result<Vec<AccessibleNode>, Error> {
        self.state().frame(frame).map(|_| Vec::new())
    }

    async fn numbered_node(
        &self,
        _frame: &FrameId,
        _node: i64,
        _deadline: Deadline,
    ) -> Result<Handle, Error> {
        Err(Error::HandleStale)
    }

    async fn number_of(&self, _element: &Handle, _deadline: Deadline) -> Result<i64, Error> {
        Err(Error::HandleStale)
    }

    async fn watch_announcements(&self, _deadline: Deadline) -> Result<(), Error> {
        self.state().refuse_if_blocked()
    }

    fn announcements(&self, _since: u64) -> Vec<Announcement> {
        Vec::new()
    }
}

#[async_trait]
impl Clipboard for FakePage {
    async fn permit_clipboard(&self, _permitted: bool, _deadline: Deadline) -> Result<(), Error> {
        self.state().refuse_if_blocked()
    }
}

fn value_of(function: &str, mut answer: Value) -> Result<Value, Error> {
    match answer["error"]["message"].as_str() {
        Some(message) => {
            Err(Error::ScriptFailed { function: function.to_owned(), message: message.to_owned() })
        }
        None => Ok(answer["ok"].take()),
    }
}

#[async_trait]
impl PageTools for FakePage {
    async fn page_tools(&self, _deadline: Deadline) -> Result<Option<Vec<PageTool>>, Error> {
        Ok(None)
    }

    async fn call_page_tool(
        &self,
        frame: &FrameId,
        _name: &str,
        _input: &Value,
        _deadline: Deadline,
    ) -> Result<PageToolAnswer, Error> {
        Err(Error::FrameDetached { frame: frame.clone() })
    }
}
