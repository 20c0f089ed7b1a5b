//! Console messages, uncaught exceptions and failed requests of a real page are events of the call.

use std::sync::Mutex;

use actions_engine::{EventKind, RequestFailure, RunEvent};
use serde_json::json;

use crate::page::{Stage, tool};

const PAGE: &str = "<button onclick=go()>Go</button><script>
async function go() {
  console.warn('slow', 7);
  setTimeout(() => { throw new Error('broken'); });
  await fetch('/missing');
  setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<p id=done>done</p>'), 100);
}
</script>";

#[tokio::test]
async fn what_a_page_reports_becomes_events_of_the_call() {
    let stage = Stage::with(PAGE).await;
    let steps = json!([
        { "id": "click", "primitive": "pointer.click", "args": { "locator": { "selector": "button" } } },
        { "id": "wait", "primitive": "locator.wait_for", "args": { "locator": { "selector": "#done" } } },
    ]);
    let session = stage.reporting(&[tool("t", &steps)]).await;
    let events = Mutex::new(Vec::new());
    let keep = |event: &RunEvent| events.lock().unwrap().push(event.kind.clone());
    session.call("t").observer(&keep).run().await.result.unwrap();
    let events = events.into_inner().unwrap();
    let has = |what: &str, is: &dyn Fn(&EventKind) -> bool| {
        assert_eq!(events.iter().filter(|kind| is(kind)).count(), 1, "{what}: {events:?}");
    };
    has(
        "console",
        &|kind| matches!(kind, EventKind::Console { level, text, line: Some(3), .. } if level == "warning" && text.as_str() == "slow 7"),
    );
    has("exception", &|kind| matches!(kind, EventKind::Exception { text, .. } if text.contains("broken")));
    has(
        "request",
        &|kind| matches!(kind, EventKind::RequestFailed { url, failure: RequestFailure::Status(404), .. } if url.ends_with("/missing")),
    );
}
