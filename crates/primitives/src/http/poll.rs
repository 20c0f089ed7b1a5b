//! Asks for the result of work that a site goes on with after it has answered.

use std::time::Duration;

use actions_protocol::ErrorCode;
use serde_json::{Map, Value};

use super::address::text;
use super::request::{Body, Exchange};
use crate::Failure;
use crate::services::HttpReply;

/// The words by which sites say that the work has succeeded.
const DONE: &[&str] = &["done", "completed", "complete", "succeeded", "success", "finished"];
/// The words by which they say that it has failed.
const FAILED: &[&str] = &["failed", "failure", "error", "cancelled", "canceled"];
/// The words by which they say that it goes on.
const GOING_ON: &[&str] =
    &["pending", "queued", "accepted", "running", "processing", "in_progress", "in-progress", "started"];
/// The members that hold the state.
const STATE: &[&str] = &["status", "state"];
/// The members that hold the name of the work.
const NAME: &[&str] = &["job_id", "id", "jobId", "task_id"];
/// The time before the first question.
const FIRST_WAIT: Duration = Duration::from_secs(1);
/// The longest time between two questions.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// How far the work is.
enum Stand {
    Done,
    Failed,
    GoesOn,
    Unknown,
}

fn stand(body: &Body) -> Stand {
    let Some(value) = body.value() else { return Stand::Unknown };
    let word = STATE.iter().find_map(|key| value.get(key)?.as_str()).map(str::to_lowercase);
    match word.as_deref() {
        Some(word) if DONE.contains(&word) => Stand::Done,
        Some(word) if FAILED.contains(&word) => Stand::Failed,
        Some(word) if GOING_ON.contains(&word) => Stand::GoesOn,
        _ => Stand::Unknown,
    }
}

/// Asks until the work has ended or the time of the exchange is over. Returns the last response, and whether the work goes
/// on as far as is known.
pub(super) async fn until_ended(
    exchange: &mut Exchange<'_>,
    template: &str,
    first: (HttpReply, Body),
) -> Result<(HttpReply, Body, bool), Failure> {
    let (reply, body) = first;
    match (stand(&body), address(template, &body)) {
        (Stand::Failed, _) => Err(failed(&reply, &body)),
        (Stand::Done, _) => Ok((reply, body, false)),
        // A response of another form is handed to the caller as it is: it may hold the handle in a form of its own.
        (_, None) => Ok((reply, body, true)),
        (_, Some((url, query))) => {
            let mut wait = FIRST_WAIT;
            loop {
                exchange.pause(wait, "the work of the site to end").await?;
                let (reply, body) = exchange.get(&url, &query).await?;
                match stand(&body) {
                    Stand::Failed => return Err(failed(&reply, &body)),
                    Stand::Done => return Ok((reply, body, false)),
                    Stand::Unknown => return Ok((reply, body, true)),
                    Stand::GoesOn => wait = (wait * 2).min(LONGEST_WAIT),
                }
            }
        }
    }
}

/// Where the result is asked for: the address with its names replaced, or with `id` in its query.
fn address(template: &str, body: &Body) -> Option<(Address, Map<String, Value>)> {
    let value = body.value()?;
    let member = |key: &str| value.get(key).filter(|value| value.is_string() || value.is_number());
    let mut path = Map::new();
    for name in template.split('{').skip(1).filter_map(|rest| rest.split_once('}').map(|(name, _)| name)) {
        let found = member(name).or_else(|| NAME.iter().find_map(|key| member(key)))?;
        path.insert(name.to_owned(), Value::String(text(found)));
    }
    let mut query = Map::new();
    if path.is_empty() {
        let found = NAME.iter().find_map(|key| member(key))?;
        query.insert("id".to_owned(), Value::String(text(found)));
    }
    Some((Address { template: template.to_owned(), path }, query))
}

/// An address with names and what they stand for.
pub(super) struct Address {
    pub(super) template: String,
    pub(super) path: Map<String, Value>,
}

fn failed(reply: &HttpReply, body: &Body) -> Failure {
    let state = body.value().and_then(|value| STATE.iter().find_map(|key| value.get(key)?.as_str()));
    let message = format!("the work of the site ended with `{}`", state.unwrap_or("failed"));
    Failure::new(ErrorCode::RemoteError, message)
        .with_evidence("http_status", reply.status)
        .with_evidence("url", reply.url.clone())
        .with_evidence("body", body.value().cloned().unwrap_or_default())
}
