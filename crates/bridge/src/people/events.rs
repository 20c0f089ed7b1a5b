//! What happens in the runtime, as one line of JSON each: the calls of all clients with their steps, and the questions.

use std::time::Duration;

use actions_engine::EventKind;
use actions_runtime::RuntimeEvent;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use futures_util::stream::unfold;
use serde_json::{Value, json};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::watch;

use super::Room;
use super::confirmations::People;

/// An empty line is sent this often, so that the end of the other side is noticed.
const BEAT: Duration = Duration::from_secs(15);

/// The longest line. Events carry what pages say.
const LONGEST: usize = 64 * 1024;

struct Feed {
    events: Receiver<RuntimeEvent>,
    questions: watch::Receiver<u64>,
    people: People,
}

impl Feed {
    /// The next line.
    async fn next(&mut self) -> Option<String> {
        loop {
            tokio::select! {
                changed = self.questions.changed() => {
                    changed.ok()?;
                    return Some(json!({ "kind": "questions", "questions": self.people.questions() }).to_string());
                }
                event = self.events.recv() => match event {
                    Ok(event) => {
                        if let Some(line) = shown(&event).map(|shown| shown.to_string()).filter(|line| line.len() <= LONGEST) {
                            return Some(line);
                        }
                    }
                    Err(RecvError::Lagged(missed)) => return Some(json!({ "kind": "missed", "count": missed }).to_string()),
                    Err(RecvError::Closed) => return None,
                },
                () = tokio::time::sleep(BEAT) => return Some(String::new()),
            }
        }
    }
}

pub(super) async fn events(State(room): State<Room>) -> Response {
    let events = room.bridge.runtime().events();
    let mut questions = room.people.changes();
    // The questions that wait already come first.
    questions.mark_changed();
    let feed = Feed { events, questions, people: room.people };
    let stop = room.bridge.shared.ending();
    let lines = unfold((feed, stop), |(mut feed, stop)| async move {
        let line = tokio::select! {
            biased;
            () = stop.cancelled() => None,
            line = feed.next() => line,
        };
        let line = Bytes::from(format!("{}\n", line?));
        Some((Ok::<_, std::convert::Infallible>(line), (feed, stop)))
    });
    ([(CONTENT_TYPE, "application/x-ndjson")], Body::from_stream(lines)).into_response()
}

/// An event as people see it. Pictures and other large parts are left out.
fn shown(event: &RuntimeEvent) -> Option<Value> {
    match event {
        RuntimeEvent::Call { session, page, event } => {
            if matches!(event.kind, EventKind::Picture { .. }) {
                return None;
            }
            Some(json!({ "kind": "call", "runtime_id": format!("{session}-{page}"), "event": event }))
        }
        _ => None,
    }
}
