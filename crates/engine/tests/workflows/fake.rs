use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use actions_engine::browser::fake::{Behaviour, FakePage};
use serde_json::{Value, json};

use crate::auto_clock::AutoClock;
use crate::case::{Case, ORIGIN, cases};
use crate::recorder::Answered;
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
    page.goes_to(&format!("{ORIGIN}/page.html"), false);
    let script = Arc::new(Mutex::new(Answered::read(&case.folder.join("driver.ndjson"))));
    let functions: Vec<String> =
        script.lock().unwrap().iter().map(|answered| answered.call.clone()).collect();
    for function in functions {
        let script = script.clone();
        let name = function.clone();
        page.on_call(&function, move |args| next(&script, &name, args));
    }
    let session = case.engine(ORIGIN).on_page(page, Arc::new(clock.clone()));
    let stream = clock.run(stream(case, &session, ORIGIN)).await;
    let left = script.lock().unwrap();
    assert!(left.is_empty(), "{}: never asked for: {left:?}", case.folder.display());
    stream
}

/// The answer to the next question, which must be this one.
fn next(script: &Mutex<VecDeque<Answered>>, function: &str, args: &Value) -> Behaviour<Value> {
    let asked = Answered::asked(function, args);
    let Some(next) = script.lock().unwrap().pop_front() else {
        return refuse(format!("nothing more was asked, but now {asked:?}"));
    };
    if (&next.call, &next.about) != (&asked.call, &asked.about) {
        return refuse(format!("{:?} of {:?} was to come, not {asked:?}", next.call, next.about));
    }
    next.answer.map_or(Behaviour::Hangs, Behaviour::Gives)
}

fn refuse(message: String) -> Behaviour<Value> {
    json!({ "error": { "code": "internal_error", "message": message } }).into()
}
