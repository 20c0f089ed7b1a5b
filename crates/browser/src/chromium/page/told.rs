//! What is known of what the page was made to do.
//!
//! Input is answered on another way than everything else the page tells, so its answer says nothing about what is still
//! underway on the other one: what the page wants to go to. An answer that the page gives later, on that other way,
//! comes behind all of it.

use std::time::Duration;

use chromiumoxide_cdp::cdp::js_protocol::runtime::GetIsolateIdParams;
use serde_json::Value;

use super::ChromiumPage;
use super::runtime::{Argument, CallFunctionOn, Outcome};
use super::state::State;
use super::world::Script;
use crate::{Call, Deadline, Error, script};

/// The function of the page script that answers when a gesture's doings are done.
const AFTERMATH: &str = "action.aftermath";

/// How long a page may take to tell of an aftermath by itself before it is asked.
const BY_ITSELF: Duration = Duration::from_secs(2);

/// Counts what the page was made to do, and up to where it has told of it.
#[derive(Debug, Default)]
pub(super) struct Told {
    stirred: u64,
    taken: u64,
    told: u64,
    /// The newest question about an aftermath, until it is answered.
    aftermath: Option<u64>,
    asked: u64,
}

impl Told {
    /// The page is given something to do.
    pub(super) fn stir(&mut self) {
        self.stirred += 1;
    }

    /// As [`Told::stir`], with something that goes the same way as questions, before any later one.
    pub(super) fn stir_at_once(&mut self) {
        if self.by_now().is_some() {
            self.taken += 1;
        }
        self.stirred += 1;
    }

    /// It has taken everything so far.
    pub(super) fn take(&mut self) {
        self.taken = self.stirred;
    }

    /// How much it will have told once it answers a question that is asked now.
    pub(super) fn by_now(&self) -> Option<u64> {
        (self.taken == self.stirred).then_some(self.stirred)
    }

    pub(super) fn hear(&mut self, by: Option<u64>) {
        self.told = self.told.max(by.unwrap_or(0));
    }

    fn is_everything(&self) -> bool {
        self.told == self.stirred
    }

    fn ask(&mut self) -> u64 {
        self.asked += 1;
        self.aftermath = Some(self.asked);
        self.asked
    }

    /// A question about an aftermath was answered. It says nothing about what was done after a newer one was asked.
    fn answer(&mut self, question: u64, received: bool) {
        if self.aftermath == Some(question) {
            self.aftermath = None;
            if received {
                self.told = self.stirred;
            }
        }
    }
}

impl ChromiumPage {
    /// Asks about the aftermath of a call's gesture; nobody waits for the answer here.
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
        let question = self.state().told.ask();
        let page = self.this.clone();
        script.session.send_then(command, move |answer| {
            let Some(page) = page.upgrade() else { return };
            let received = answer.is_ok_and(is_ok);
            page.update(|state| state.told.answer(question, received));
        });
    }

    /// Waits until the page has told what it was made to do so far. It does so by itself after a gesture that it was
    /// asked about; otherwise it is asked anything, and what it told before, it told before its answer.
    pub(super) async fn heard_everything(&self, deadline: Deadline) -> Result<(), Error> {
        let what = |_: &State| ("the aftermath of a gesture".to_owned(), None);
        let over = |state: &State| {
            let told = &state.told;
            (told.is_everything() || told.aftermath.is_none()).then(|| Ok(told.is_everything()))
        };
        let by_itself = deadline.at_most(&**self.clock(), BY_ITSELF);
        match self.until(by_itself, what, over).await {
            Ok(true) => return Ok(()),
            Ok(false) | Err(Error::Timeout { .. }) => {}
            Err(error) => return Err(error),
        }
        let by = self.state().told.by_now();
        match self.answer(self.session.send(GetIsolateIdParams {}, deadline)).await {
            // A document that is gone has told everything.
            Ok(_) | Err(Error::Refused { .. }) => {
                self.state().told.hear(by);
                Ok(())
            }
            Err(error) => Err(error),
        }
    }
}

/// Whether an answer of the page script is one, and no refusal.
fn is_ok(answer: Outcome) -> bool {
    let Ok(Value::String(text)) = answer.value(AFTERMATH) else { return false };
    serde_json::from_str::<Value>(&text).is_ok_and(|answer| answer.get("ok").is_some())
}
