//! A fake page, and the methods with which a test controls it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};
use tokio::sync::{broadcast, watch};

use super::Performed;
use crate::{
    AnsweredDialog, Clock, Counters, Deadline, Dialog, DialogPolicy, DragKind, Error, Frame, FrameId,
    Navigated, NavigationFailure, PageEvent, Point,
};

/// How a fake page responds to a call.
#[derive(Clone, Debug, PartialEq)]
pub enum Behaviour<T> {
    /// It returns this at once.
    Gives(T),
    /// It never responds: the wait ends at its deadline, with a dialog, or when the page ends.
    Hangs,
}

impl<T> From<T> for Behaviour<T> {
    fn from(value: T) -> Self {
        Behaviour::Gives(value)
    }
}

// Shared, so that the page is not locked while a closure runs: the closure may use the page.
type Answer = Arc<Mutex<dyn FnMut(&Value) -> Behaviour<Value> + Send>>;
type Arrival = Arc<Mutex<dyn FnMut(&str) -> Behaviour<Result<String, NavigationFailure>> + Send>>;

/// A page without a browser. It starts at `about:blank` with one frame. Unless a test configures it otherwise, every
/// operation succeeds in the simplest way.
pub struct FakePage {
    pub(super) clock: Arc<dyn Clock>,
    state: Mutex<FakeState>,
    changed: watch::Sender<u64>,
    events: broadcast::Sender<PageEvent>,
}

pub(super) struct FakeState {
    pub(super) title: String,
    pub(super) frames: Vec<FakeFrame>,
    pub(super) history: Vec<String>,
    pub(super) at: usize,
    pub(super) navigations: u64,
    pub(super) last: Option<Navigated>,
    pub(super) dialog: Option<Dialog>,
    pub(super) dialog_policy: DialogPolicy,
    pub(super) answered_dialogs: Vec<AnsweredDialog>,
    pub(super) crashed: bool,
    pub(super) ended: Option<Error>,
    pub(super) counters: Counters,
    pub(super) performed: Vec<Performed>,
    pub(super) answers: HashMap<String, Answer>,
    pub(super) arrival: Arrival,
    pub(super) drag_kind: DragKind,
    pub(super) picture: Behaviour<Vec<u8>>,
}

#[derive(Clone)]
pub(super) struct FakeFrame {
    pub(super) frame: Frame,
    pub(super) offset: Point,
}

impl FakePage {
    /// Creates a page that uses this clock for deadlines.
    pub fn new(clock: Arc<dyn Clock>) -> Arc<Self> {
        let blank = "about:blank".to_owned();
        let main = Frame { id: FrameId::new("main"), parent: None, url: blank.clone() };
        Arc::new(Self {
            clock,
            state: Mutex::new(FakeState {
                title: String::new(),
                frames: vec![FakeFrame { frame: main, offset: Point::default() }],
                history: vec![blank],
                at: 0,
                navigations: 0,
                last: None,
                dialog: None,
                dialog_policy: DialogPolicy::default(),
                answered_dialogs: Vec::new(),
                crashed: false,
                ended: None,
                counters: Counters::default(),
                performed: Vec::new(),
                answers: HashMap::new(),
                arrival: Arc::new(Mutex::new(|url: &str| Behaviour::Gives(Ok(url.to_owned())))),
                drag_kind: DragKind::Pointer,
                picture: Behaviour::Gives(b"\x89PNG\r\n\x1a\n".to_vec()),
            }),
            changed: watch::Sender::new(0),
            events: broadcast::Sender::new(256),
        })
    }

    /// Sets the answer of a page script function: `{"ok": …}` or `{"error": {"code", "message", "evidence"}}`. The
    /// names
    /// `pick`, `evaluate`, `hear` and `page:PATH` mean picking an element, evaluating a script, asking for events, and calling
    /// a function of the page. Their answers have the same form; `ok` is the id of the handle, or the value.
    pub fn on_call<B: Into<Behaviour<Value>>>(
        &self,
        function: &str,
        mut answer: impl FnMut(&Value) -> B + Send + 'static,
    ) {
        let answer: Answer = Arc::new(Mutex::new(move |args: &Value| answer(args).into()));
        self.update(|state| state.answers.insert(function.to_owned(), answer));
    }

    /// Sets the outcome of navigations: the final address, or a failure.
    pub fn on_navigate<B: Into<Behaviour<Result<String, NavigationFailure>>>>(
        &self,
        mut arrival: impl FnMut(&str) -> B + Send + 'static,
    ) {
        self.update(|state| state.arrival = Arc::new(Mutex::new(move |url: &str| arrival(url).into())));
    }

    /// Adds a frame whose upper left corner is at a point of the main viewport.
    pub fn add_frame(&self, id: &str, parent: &str, url: &str, offset: Point) -> FrameId {
        let frame = Frame { id: FrameId::new(id), parent: Some(FrameId::new(parent)), url: url.to_owned() };
        let id = frame.id.clone();
        self.update(|state| state.frames.push(FakeFrame { frame, offset }));
        id
    }

    /// Removes a frame.
    pub fn detach_frame(&self, id: &FrameId) {
        self.update(|state| state.frames.retain(|known| known.frame.id != *id));
        self.emit(PageEvent::FrameDetached(id.clone()));
    }

    /// Sets the title.
    pub fn set_title(&self, title: &str) {
        self.update(|state| title.clone_into(&mut state.title));
    }

    /// Sets how the page handles drags.
    pub fn set_drag_kind(&self, kind: DragKind) {
        self.update(|state| state.drag_kind = kind);
    }

    /// Sets the data of screenshots.
    pub fn set_picture(&self, picture: impl Into<Behaviour<Vec<u8>>>) {
        self.update(|state| state.picture = picture.into());
    }

    /// Navigates the page as if it had done so itself.
    pub fn goes_to(&self, url: &str, same_document: bool) {
        let navigated = self.update(|state| state.arrive(url, same_document));
        self.emit(PageEvent::Navigated(navigated));
    }

    /// Opens a dialog.
    pub fn open_dialog(&self, dialog: Dialog) {
        let answered = self.update(|state| {
            state.dialog = Some(dialog.clone());
            state.answer_by_policy()
        });
        self.emit(PageEvent::DialogOpened(dialog));
        if answered {
            self.emit(PageEvent::DialogClosed);
        }
    }

    /// Crashes the page's process. A navigation recovers the page.
    pub fn crash(&self) {
        self.update(|state| state.crashed = true);
        self.emit(PageEvent::Crashed);
    }

    /// Ends the page as if the browser were lost.
    pub fn lose(&self, reason: &str) {
        self.end(Error::BrowserLost { reason: reason.to_owned() });
    }

    /// Emits an event to every subscriber, as the page would: a console message, a failed request …
    pub fn emit(&self, event: PageEvent) {
        // There may be no subscriber.
        let _ = self.events.send(event);
    }

    /// The operations performed on the page so far.
    pub fn performed(&self) -> Vec<Performed> {
        self.state().performed.clone()
    }

    /// The operations performed since the last call of this method.
    pub fn take_performed(&self) -> Vec<Performed> {
        std::mem::take(&mut self.state().performed)
    }

    pub(super) fn end(&self, error: Error) {
        self.update(|state| {
            state.ended.get_or_insert(error);
        });
        self.emit(PageEvent::Closed);
    }

    pub(super) fn listen(&self) -> broadcast::Receiver<PageEvent> {
        self.events.subscribe()
    }

    pub(super) fn state(&self) -> MutexGuard<'_, FakeState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn update<T>(&self, change: impl FnOnce(&mut FakeState) -> T) -> T {
        let result = change(&mut self.state());
        self.changed.send_modify(|version| *version = version.wrapping_add(1));
        result
    }

    /// Records an operation and counts it as one command and one round trip, unless the page refuses it.
    pub(super) fn perform(&self, what: Performed) -> Result<(), Error> {
        let mut state = self.state();
        state.refuse_if_blocked()?;
        state.note(what);
        Ok(())
    }

    /// The answer to a call; an error if the test has not set one.
    pub(super) async fn answer(&self, name: &str, args: &Value, deadline: Deadline) -> Result<Value, Error> {
        let answer = self.state().answers.get(name).cloned();
        let behaviour = match answer {
            Some(answer) => answer.lock().unwrap_or_else(PoisonError::into_inner)(args),
            None => Behaviour::Gives(json!({ "error": {
                "code": "internal_error",
                "message": format!("the fake page has no answer for {name}"),
            } })),
        };
        self.come(behaviour, name, deadline).await
    }

    pub(super) async fn come<T>(
        &self,
        behaviour: Behaviour<T>,
        what: &str,
        deadline: Deadline,
    ) -> Result<T, Error> {
        match behaviour {
            Behaviour::Gives(value) => Ok(value),
            Behaviour::Hangs => self.until(what, deadline, |_| None).await,
        }
    }

    /// Waits like a real page: until `look` returns a value, the deadline passes, a dialog opens, or the page ends.
    pub(super) async fn until<T>(
        &self,
        waited_for: &str,
        deadline: Deadline,
        mut look: impl FnMut(&FakeState) -> Option<T>,
    ) -> Result<T, Error> {
        let mut changed = self.changed.subscribe();
        let mut expired = self.clock.sleep_until(deadline.at());
        loop {
            {
                let state = self.state();
                if let Some(found) = look(&state) {
                    return Ok(found);
                }
                state.refuse_if_blocked()?;
            }
            tokio::select! {
                _ = changed.changed() => {}
                () = &mut expired => {
                    let waited_for = waited_for.to_owned().into();
                    return Err(Error::Timeout { waited_for, limit: deadline.limit(), saw: None });
                }
            }
        }
    }
}

impl FakeState {
    pub(super) fn refuse_if_blocked(&self) -> Result<(), Error> {
        match (&self.ended, self.crashed, &self.dialog) {
            (Some(error), _, _) => Err(error.clone()),
            (None, true, _) => Err(Error::PageCrashed),
            (None, false, Some(dialog)) => Err(Error::DialogOpen(dialog.clone())),
            (None, false, None) => Ok(()),
        }
    }

    /// Answers the open dialog if the policy says so.
    pub(super) fn answer_by_policy(&mut self) -> bool {
        let Some(dialog) = &self.dialog else { return false };
        let Some(answer) = self.dialog_policy.answer(dialog.kind) else { return false };
        AnsweredDialog { dialog: dialog.clone(), answer: answer.clone() }.keep(&mut self.answered_dialogs);
        self.dialog = None;
        self.note(Performed::AnswerDialog(answer));
        true
    }

    pub(super) fn note(&mut self, what: Performed) {
        self.counters.commands += 1;
        self.counters.round_trips += 1;
        self.performed.push(what);
    }

    pub(super) fn frame(&self, id: &FrameId) -> Result<&FakeFrame, Error> {
        let found = self.frames.iter().find(|known| known.frame.id == *id);
        found.ok_or_else(|| Error::FrameDetached { frame: id.clone() })
    }

    /// Adds a history entry and shows its address in the main frame.
    pub(super) fn arrive(&mut self, url: &str, same_document: bool) -> Navigated {
        self.navigations += 1;
        self.history.truncate(self.at + 1);
        self.history.push(url.to_owned());
        self.at = self.history.len() - 1;
        self.show(url, same_document)
    }

    pub(super) fn show(&mut self, url: &str, same_document: bool) -> Navigated {
        if !same_document {
            self.frames.truncate(1);
            self.crashed = false;
        }
        let main = &mut self.frames[0].frame;
        url.clone_into(&mut main.url);
        let navigated = Navigated {
            frame: main.id.clone(),
            url: url.to_owned(),
            same_document,
            redirected_by_page: false,
            status: None,
        };
        self.last = Some(navigated.clone());
        navigated
    }
}
