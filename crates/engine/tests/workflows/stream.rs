//! Writes the events of a call without what depends on time.

use std::sync::Mutex;

use actions_engine::{Observer, Outcome, RunEvent, Session};
use actions_protocol::{CallId, Millis};
use serde_json::Value;

use crate::case::{Case, ORIGIN};

/// What time alone decides, what a clock of the page measures, and where fonts put things. Everything else must be equal.
const VOLATILE: &[&str] =
    &["duration_ms", "waited_ms", "elapsed_ms", "x", "y", "bounding_box", "visible_rect", "clickable_center"];

#[derive(Default)]
struct Stream(Mutex<Vec<Value>>);

impl Observer for Stream {
    fn event(&self, event: &RunEvent) {
        self.0.lock().unwrap().push(serde_json::to_value(event).unwrap());
    }
}

/// Performs the call of a case and gives its events and its result, one line each.
pub(crate) async fn stream(case: &Case, session: &Session, origin: &str) -> String {
    let stream = Stream::default();
    let mut call = session.call(&case.tool).arguments(case.input.clone()).observer(&stream);
    call = call.id(CallId::parse("call-1").unwrap());
    if let Some(timeout) = case.timeout_ms {
        call = call.timeout(Millis(timeout));
    }
    let outcome = call.run().await;
    let mut lines = stream.0.into_inner().unwrap();
    lines.push(result(outcome));
    let mut text = String::new();
    for mut line in lines {
        strip(&mut line);
        text.push_str(&line.to_string().replace(origin, ORIGIN));
        text.push('\n');
    }
    text
}

fn result(outcome: Outcome) -> Value {
    match outcome.result {
        Ok(value) => serde_json::json!({ "result": value }),
        Err(error) => serde_json::json!({ "failed": error.code, "steps": outcome.steps }),
    }
}

fn strip(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(strip),
        Value::Object(members) => {
            members.retain(|key, _| !VOLATILE.contains(&key.as_str()));
            // How much of a wait the end of the call leaves.
            if let Some(Value::Object(evidence)) = members.get_mut("evidence")
                && evidence.contains_key("last_seen")
            {
                evidence.remove("timeout_ms");
            }
            members.values_mut().for_each(strip);
        }
        Value::String(text) => *text = without_limit(text),
        _ => {}
    }
}

/// A sentence of the page about a wait, without its length: the end of the call cuts it short.
fn without_limit(text: &str) -> String {
    match text.rsplit_once(" within ") {
        Some((what, length)) if what.contains("the locator was not") && length.ends_with(" ms") => {
            format!("{what} within … ms")
        }
        _ => text.to_owned(),
    }
}

/// Compares a stream with the snapshot of its case: the same one for both drivers.
pub(crate) fn compare(case: &Case, stream: &str) {
    let mut settings = insta::Settings::new();
    settings.set_snapshot_path(&case.folder);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.remove_input_file();
    settings.bind(|| insta::assert_snapshot!("events", stream));
}
