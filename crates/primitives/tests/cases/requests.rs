//! A sender of requests that answers by itself: what a site would answer is decided by the path.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use actions_browser::{Deadline, SystemClock};
use actions_primitives::{Failure, HttpAuth, HttpCall, HttpCaller, HttpReply};
use actions_protocol::ErrorCode;
use async_trait::async_trait;
use serde_json::{Value, json};

/// A sender that has credentials for the system `awp` and no other.
#[derive(Debug, Default)]
pub(crate) struct Requests {
    /// How often each path was asked for.
    asked: Mutex<BTreeMap<String, usize>>,
}

impl Requests {
    /// How often the path of an address was asked for, with this time.
    fn times(&self, path: &str) -> usize {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let times = asked.entry(path.to_owned()).or_default();
        *times += 1;
        *times
    }
}

fn failed(code: ErrorCode, why: &str) -> Failure {
    Failure::new(code, why)
}

#[async_trait]
impl HttpCaller for Requests {
    async fn send(&self, call: HttpCall, deadline: Deadline) -> Result<HttpReply, Failure> {
        let has_credentials = call.auth.as_ref().is_some_and(|auth| auth.system == "awp");
        if call.auth.as_ref().is_some_and(|auth| auth.required && !has_credentials) {
            return Err(failed(ErrorCode::AuthRequired, "no credentials are stored"));
        }
        let rest = call.url.split_once("://").map(|(_, rest)| rest).unwrap_or_default();
        let target = rest.find('/').map(|at| &rest[at..]).unwrap_or("/");
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let times = self.times(path);
        let mut headers: BTreeMap<String, String> =
            call.headers.iter().map(|(name, value)| (name.to_lowercase(), value.clone())).collect();
        if let Some((content_type, _)) = &call.body {
            headers.insert("content-type".to_owned(), content_type.clone());
        }
        if has_credentials {
            headers.insert("authorization".to_owned(), "sent".to_owned());
        }
        let body = call.body.map(|(_, bytes)| String::from_utf8_lossy(&bytes).into_owned());
        let echo =
            json!({ "method": call.method, "path": path, "query": query, "headers": headers, "body": body });
        let (status, content_type, body) = match path {
            "/plain" => (200, "text/plain", "plain words".to_owned()),
            "/long-text" => (200, "text/plain", "x".repeat(300 << 10)),
            "/not-json" => (200, "application/json", "{".to_owned()),
            "/unreachable" => return Err(failed(ErrorCode::TransportFailed, "no connection")),
            "/never" => {
                deadline_passes(deadline).await;
                return Err(failed(ErrorCode::Timeout, "no answer came"));
            }
            "/jobs/start" => {
                (202, "application/json", json!({ "job_id": "j1", "status": "queued" }).to_string())
            }
            "/jobs/j1" if times < 2 => (200, "application/json", json!({ "status": "running" }).to_string()),
            "/jobs/j1" => (200, "application/json", json!({ "status": "done", "result": 42 }).to_string()),
            "/again" if times < 2 => {
                (429, "application/json", json!({ "error": "RATE_LIMITED" }).to_string())
            }
            "/broken/once" if times < 2 => (500, "application/json", json!({ "code": "BUSY" }).to_string()),
            "/expired/once" if times < 2 => {
                (401, "application/json", json!({ "error": { "code": "AUTH_EXPIRED" } }).to_string())
            }
            "/status/409" => {
                let said = json!({ "error": "SEAT_UNAVAILABLE", "message": "the seat\u{1b} is gone" });
                (409, "application/json", said.to_string())
            }
            path => match path.strip_prefix("/status/").and_then(|status| status.parse().ok()) {
                Some(status) => (status, "text/plain", "no".to_owned()),
                None => (200, "application/json; charset=utf-8", echo.to_string()),
            },
        };
        let headers = [("content-type", content_type), ("x-ratelimit-remaining", "9"), ("set-cookie", "a=1")];
        let retry = (status == 429 && path != "/again").then_some(("retry-after", "7"));
        Ok(HttpReply {
            status,
            url: call.url.clone(),
            headers: headers.into_iter().chain(retry).map(|(n, v)| (n.to_owned(), v.to_owned())).collect(),
            body: body.into_bytes(),
            authenticated: has_credentials,
        })
    }

    async fn refresh(
        &self,
        _auth: &HttpAuth,
        url: &str,
        _origins: Option<BTreeSet<String>>,
        _deadline: Deadline,
    ) -> Result<bool, Failure> {
        Ok(url.ends_with("/refresh"))
    }

    fn idempotency_key(&self) -> Result<String, Failure> {
        Ok("a-random-key".to_owned())
    }

    fn blocked_for(&self, _url: &str) -> Duration {
        Duration::ZERO
    }
}

async fn deadline_passes(deadline: Deadline) {
    tokio::time::sleep(deadline.remaining(&SystemClock)).await;
}

#[test]
fn the_fake_sender_echoes_what_it_is_given() {
    let call = HttpCall::new("GET", "http://127.0.0.1:1/api/echo?a=1", None);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let deadline = Deadline::after(&SystemClock, Duration::from_secs(1));
    let reply = runtime.block_on(Requests::default().send(call, deadline)).expect("it answers");
    let body: Value = serde_json::from_slice(&reply.body).expect("JSON");
    assert_eq!((&body["path"], &body["query"]), (&json!("/api/echo"), &json!("a=1")));
}
