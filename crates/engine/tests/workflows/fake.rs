//! Runs the cases on the fake driver.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use actions_engine::browser::fake::{Behaviour, FakePage};
use actions_engine::browser::{Dialog, DialogKind, NavigationFailure};
use serde_json::{Value, json};

use crate::auto_clock::AutoClock;
use crate::case::{Case, ORIGIN, cases};
use crate::recorder::{Answered, CHANGE, DIALOG, NAVIGATE};
use crate::stream::{compare, stream};

/// Performs the cases of a structure on pages that answer as the real ones did.
pub(crate) fn perform(structure: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    for case in cases(structure) {
        let stream = runtime.block_on(one(&case));
        compare(&case, &stream);
    }
}

async fn one(case: &Case) -> String {
    let clock = AutoClock::default();
    let page = FakePage::new(Arc::new(clock.clone()));
    page.goes_to(&format!("{ORIGIN}{}", case.path), false);
    let script = Arc::new(Mutex::new(Script::read(case, clock.clone())));
    script.lock().unwrap().page = Arc::downgrade(&page);
    let functions: Vec<String> = script.lock().unwrap().left.iter().map(|next| next.call.clone()).collect();
    for function in functions {
        let script = script.clone();
        let name = function.clone();
        page.on_call(&function, move |args| script.lock().unwrap().next(&name, args));
    }
    page.on_call(CHANGE, |_| Behaviour::Hangs);
    let navigations = script.clone();
    page.on_navigate(move |url| navigations.lock().unwrap().arrival(url));
    let session = case.engine(ORIGIN).on_page(page, Arc::new(clock.clone()));
    let stream = clock.run(stream(case, &session, ORIGIN)).await;
    let left = &script.lock().unwrap().left;
    assert!(left.is_empty(), "{}: never asked for: {left:?}", case.folder.display());
    stream
}

/// The questions and answers that are still to come.
struct Script {
    left: VecDeque<Answered>,
    last: Option<Answered>,
    clock: AutoClock,
    /// The page that opens dialogs when their time has come.
    page: Weak<FakePage>,
}

impl Script {
    fn read(case: &Case, clock: AutoClock) -> Self {
        Self {
            left: Answered::read(&case.folder.join("driver.ndjson")),
            last: None,
            clock,
            page: Weak::new(),
        }
    }

    /// Opens the dialogs that come next; the policy answers them.
    fn open_dialogs(&mut self) {
        while let Some(Answered { about, answer: Some(seen), .. }) =
            self.left.front().filter(|next| next.call == DIALOG).cloned()
        {
            self.left.pop_front();
            let kind = match seen["kind"].as_str() {
                Some("confirm") => DialogKind::Confirm,
                Some("beforeunload") => DialogKind::BeforeUnload,
                kind => panic!("no case has a dialog of the kind {kind:?}"),
            };
            let (message, url) = (seen["message"].as_str().unwrap(), about.as_str().unwrap());
            let page = self.page.upgrade().unwrap();
            page.open_dialog(Dialog {
                kind,
                message: message.to_owned(),
                default_prompt: None,
                url: url.to_owned(),
            });
        }
    }

    /// Where a navigation ends: where it was meant to, unless the page stayed.
    fn arrival(&mut self, url: &str) -> Result<String, NavigationFailure> {
        let asked = Answered::asked(NAVIGATE, &json!(url));
        match self.left.front().is_some_and(|next| (&next.call, &next.about) == (&asked.call, &asked.about)) {
            true => {
                self.left.pop_front();
                self.open_dialogs();
                Err(NavigationFailure::Stayed)
            }
            false => {
                self.open_dialogs();
                Ok(url.to_owned())
            }
        }
    }

    /// The answer to the next question, which must be this one; one that only looks may come again.
    fn next(&mut self, function: &str, args: &Value) -> Behaviour<Value> {
        let asked = Answered::asked(function, args);
        let is_asked = |known: &&Answered| (&known.call, &known.about) == (&asked.call, &asked.about);
        if self.left.front().filter(is_asked).is_some() {
            self.last = self.left.pop_front();
            self.open_dialogs();
        } else if !self.last.as_ref().filter(is_asked).is_some_and(Answered::is_look) {
            return refuse(format!("{:?} was to come, not {asked:?}", self.left.front()));
        }
        let answer = self.last.as_ref().and_then(|last| last.answer.clone());
        // A page that waited in vain took all the time it was given.
        if answer.as_ref().is_some_and(|answer| answer["error"]["code"] == "timeout") {
            self.clock.pass(Duration::from_millis(args["timeout_ms"].as_u64().unwrap_or(0)));
        }
        answer.map_or(Behaviour::Hangs, Behaviour::Gives)
    }
}

fn refuse(message: String) -> Behaviour<Value> {
    json!({ "error": { "code": "internal_error", "message": message } }).into()
}
