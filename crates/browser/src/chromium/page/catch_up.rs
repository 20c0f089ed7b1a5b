//! Tracks whether the driver knows everything that its input has triggered in the page.
//!
//! CDP acknowledges input on a different channel than page events, so an acknowledged click proves nothing about pending
//! navigations. A later response of the page on the event channel does: it arrives after all earlier events.

use std::time::Duration;

use async_trait::async_trait;
use chromiumoxide_cdp::cdp::js_protocol::runtime::GetIsolateIdParams;
use serde_json::Value;

use super::ChromiumPage;
use super::runtime::{Argument, CallFunctionOn, Outcome};
use super::state::State;
use super::world::Script;
use crate::{Call, Deadline, Error, Refused, Requests, script};

/// The function of the page script that returns when the effects of a gesture are done.
const AFTERMATH: &str = "action.aftermath";

/// How long the driver waits for the page to report an aftermath before it asks the page.
const AFTERMATH_TIMEOUT: Duration = Duration::from_secs(2);

/// Counts the actions that were started in the page, and how many of them have reported their effects.
#[derive(Debug, Default)]
pub(super) struct Progress {
    /// Actions that were started.
    started: u64,
    /// Actions that the page has acknowledged.
    acknowledged: u64,
    /// Actions whose events have all arrived.
    reported: u64,
    /// The newest question about an aftermath, until it is answered.
    aftermath: Option<u64>,
    /// Questions about aftermaths so far.
    asked: u64,
}

impl Progress {
    /// An action starts that is acknowledged on the input channel.
    pub(super) fn start(&mut self) {
        self.started += 1;
    }

    /// Like [`Progress::start`], for an action that is sent on the same channel as script calls: the page begins it
    /// before any later call.
    pub(super) fn start_in_order(&mut self) {
        if self.acknowledged().is_some() {
            self.acknowledged += 1;
        }
        self.started += 1;
    }

    /// The page has acknowledged every action so far.
    pub(super) fn acknowledge(&mut self) {
        self.acknowledged = self.started;
    }

    /// How many actions will have reported their effects once the page answers a call that is sent now. `None` while
    /// input is still unacknowledged.
    pub(super) fn acknowledged(&self) -> Option<u64> {
        (self.acknowledged == self.started).then_some(self.started)
    }

    pub(super) fn report(&mut self, actions: Option<u64>) {
        self.reported = self.reported.max(actions.unwrap_or(0));
    }

    fn is_complete(&self) -> bool {
        self.reported == self.started
    }

    fn ask(&mut self) -> u64 {
        self.asked += 1;
        self.aftermath = Some(self.asked);
        self.asked
    }

    /// Handles the answer to a question about an aftermath. Only the newest question counts.
    fn answer(&mut self, question: u64, received: bool) {
        if self.aftermath == Some(question) {
            self.aftermath = None;
            if received {
                self.reported = self.started;
            }
        }
    }
}

#[async_trait]
impl Requests for ChromiumPage {
    fn take_refused(&self) -> Vec<Refused> {
        std::mem::take(&mut self.state().refused)
    }

    /// Waits for the aftermath that the page reports by itself after a gesture. Without one, it asks the page anything:
    /// the response arrives after all earlier events.
    async fn catch_up(&self, deadline: Deadline) -> Result<(), Error> {
        let waits_for = |_: &State| ("the aftermath of a gesture".to_owned(), None);
        let over = |state: &State| {
            let progress = &state.progress;
            (progress.is_complete() || progress.aftermath.is_none()).then(|| Ok(progress.is_complete()))
        };
        let soon = deadline.at_most(&**self.clock(), AFTERMATH_TIMEOUT);
        match self.until(soon, waits_for, over).await {
            Ok(true) => return Ok(()),
            Ok(false) | Err(Error::Timeout { .. }) => {}
            Err(error) => return Err(error),
        }
        let acknowledged = self.state().progress.acknowledged();
        match self.answer(self.session.send(GetIsolateIdParams {}, deadline)).await {
            // A document that is gone has sent all its events.
            Ok(_) | Err(Error::Refused { .. }) => {
                self.update(|state| state.progress.report(acknowledged));
                Ok(())
            }
            Err(error) => Err(error),
        }
    }
}

impl ChromiumPage {
    /// Asks for the aftermath of a call's gesture, and does not wait for the answer.
    pub(super) fn ask_aftermath(&self, call: &Call<'_>, script: &Script) {
        if !call.hears_aftermath || !self.is_confined() {
            return;
        }
        let arguments = [Value::from(AFTERMATH), Value::from(call.args.as_str())];
        let command = CallFunctionOn {
            function_declaration: script::CALL,
            object_id: Some(&script.object),
            arguments: arguments.iter().map(Argument::Value).collect(),
            return_by_value: true,
            await_promise: true,
            silent: true,
            ..CallFunctionOn::default()
        };
        let question = self.state().progress.ask();
        let page = self.this.clone();
        script.session.send_then(command, move |answer| {
            let Some(page) = page.upgrade() else { return };
            let received = answer.is_ok_and(is_ok);
            page.update(|state| state.progress.answer(question, received));
        });
    }
}

/// Whether the page script answered `ok`.
fn is_ok(answer: Outcome) -> bool {
    let Ok(Value::String(text)) = answer.value(AFTERMATH) else { return false };
    serde_json::from_str::<Value>(&text).is_ok_and(|answer| answer.get("ok").is_some())
}
