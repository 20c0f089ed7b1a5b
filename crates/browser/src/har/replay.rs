//! One pass through a recording.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::conceal::Concealed;
use super::request::AskedFor;
use super::{Answer, Archive, ReplayMiss, Tolerance};

/// How many misses are kept, so that a page that never stops requesting cannot fill the memory.
const MISSES_KEPT: usize = 1_000;

/// One pass through a recording, for the pages of one context.
///
/// Requests match by method, URL without fragment, and body. If a request was recorded several times, each repetition
/// gets the next response. After the last one, a safe request (`GET`, `HEAD`, `OPTIONS`) gets the last response again;
/// any other request is a miss, because its effect was recorded only that often.
#[derive(Debug)]
pub struct Replay {
    archive: Arc<Archive>,
    concealed: Concealed,
    tolerance: Tolerance,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// How many responses to a request were replayed.
    given: HashMap<AskedFor, usize>,
    misses: Vec<ReplayMiss>,
}

impl Replay {
    /// Starts a new pass.
    pub fn new(archive: Arc<Archive>) -> Self {
        Self {
            archive,
            concealed: Concealed::default(),
            tolerance: Tolerance::default(),
            state: Mutex::default(),
        }
    }

    /// Leaves out of the comparison what differs from load to load. Requests that are then the same get the responses of
    /// all of them, in the order of the recording.
    #[must_use]
    pub fn tolerating(self, tolerance: Tolerance) -> Self {
        if tolerance.is_strict() {
            return self;
        }
        let archive = Arc::new(self.archive.tolerating(&tolerance));
        Self { archive, tolerance, ..self }
    }

    /// Masks these secrets in requests before they are compared, as the recorder did.
    #[must_use]
    pub fn concealing(self, secrets: &[String]) -> Self {
        Self { concealed: Concealed::new(secrets), ..self }
    }

    /// The key of a request in this recording.
    pub(crate) fn asked_for(
        &self,
        method: &str,
        url: &str,
        body: &[u8],
        content_type: Option<&str>,
    ) -> AskedFor {
        let (url, body) = (self.concealed.in_text(url), self.concealed.in_bytes(body));
        self.tolerance.applied(AskedFor::new(method, &url, &body, content_type))
    }

    /// The requests so far that the recording could not answer.
    pub fn misses(&self) -> Vec<ReplayMiss> {
        self.state().misses.clone()
    }

    /// The next response to a request.
    pub(crate) fn answer(&self, asked: &AskedFor) -> Result<Arc<Answer>, Box<ReplayMiss>> {
        let found = self.next(asked);
        found.map_err(|reason| {
            let mut miss = ReplayMiss::new(asked, reason);
            miss.nearest = self.archive.nearest(asked);
            let mut state = self.state();
            if state.misses.len() < MISSES_KEPT {
                state.misses.push(miss.clone());
            }
            Box::new(miss)
        })
    }

    fn next(&self, asked: &AskedFor) -> Result<Arc<Answer>, &'static str> {
        let answers = self.archive.answers(asked).ok_or("the recording holds no answer")?;
        let mut state = self.state();
        let given = state.given.entry(asked.clone()).or_default();
        let at = if *given >= answers.len() && asked.is_safe() { answers.len() - 1 } else { *given };
        let answer = answers.get(at).ok_or("the recording holds no further answer")?;
        *given += 1;
        match &**answer {
            Answer::WithoutBody => Err("the recording holds an answer without its body"),
            Answer::Given { .. } | Answer::Failed => Ok(answer.clone()),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::har::Har;

    fn replay(entries: &str) -> Replay {
        let text = format!(r#"{{"log": {{"entries": [{entries}]}}}}"#);
        let har = Har::parse("a.har", text.as_bytes()).unwrap();
        Replay::new(Arc::new(Archive::of(&har, "a.har").unwrap()))
    }

    fn entry(method: &str, url: &str, body: &str, status: i64) -> String {
        format!(
            r#"{{"request": {{"method": "{method}", "url": "{url}", "postData": {{"mimeType": "text/plain", "text": "{body}"}}}},
                "response": {{"status": {status}}}}}"#
        )
    }

    fn ask(replay: &Replay, method: &str, url: &str, body: &str) -> Result<u16, String> {
        let asked = AskedFor::new(method, url, body.as_bytes(), None);
        match replay.answer(&asked).map_err(|miss| miss.to_string())?.as_ref() {
            Answer::Given { status, .. } => Ok(*status),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn repeated_requests_get_the_next_response_and_safe_ones_repeat_the_last() {
        let recording = [
            entry("GET", "http://a/n", "", 200),
            entry("GET", "http://a/n", "", 201),
            entry("POST", "http://a/n", "", 202),
        ];
        let replay = replay(&recording.join(","));
        let get = || ask(&replay, "get", "http://a/n#there", "");
        assert_eq!([get(), get(), get()], [Ok(200), Ok(201), Ok(201)]);
        assert_eq!(ask(&replay, "POST", "http://a/n", ""), Ok(202));
        assert_eq!(
            ask(&replay, "POST", "http://a/n", "").unwrap_err(),
            "the recording holds no further answer for POST http://a/n; nearest: GET http://a/n, which differs in the method"
        );
    }

    #[test]
    fn requests_with_different_bodies_are_different() {
        let recording = [entry("POST", "http://a/q", "one", 201), entry("POST", "http://a/q", "two", 202)];
        let replay = replay(&recording.join(","));
        assert_eq!(ask(&replay, "POST", "http://a/q", "two"), Ok(202));
        assert_eq!(ask(&replay, "POST", "http://a/q", "one"), Ok(201));
        assert_eq!(
            ask(&replay, "POST", "http://a/q", "three").unwrap_err(),
            "the recording holds no answer for POST http://a/q (5 bytes, sha256 8b5b9db0c13d…); nearest: POST http://a/q (3 bytes, sha256 7692c3ad3540…), which differs in the body"
        );
        assert_eq!(replay.misses().len(), 1);
    }

    #[test]
    fn a_success_replaces_earlier_failures_of_the_same_request() {
        let recording = [
            entry("GET", "http://a/", "", 0),
            entry("GET", "http://a/", "", 304),
            entry("GET", "http://a/", "", 200),
        ];
        let replay = replay(&recording.join(","));
        assert_eq!(ask(&replay, "GET", "http://a/", ""), Ok(200));
    }

    #[test]
    fn a_tolerant_replay_ignores_parameters_and_fields_that_differ_from_load_to_load() {
        let recording = [
            entry("GET", "http://a/list?_=1&page=1", "", 200),
            entry("GET", "http://a/list?_=2&page=1", "", 201),
            entry("POST", "http://a/log", r#"{\"at\": 1, \"what\": {\"at\": 2, \"is\": \"seen\"}}"#, 202),
            entry("POST", "http://a/form", "name=ada&ts=1", 203),
        ];
        let replay = replay(&recording.join(",")).tolerating(Tolerance::of(["_"], ["at", "t*"]));
        let get = || {
            let asked = replay.asked_for("GET", "http://a/list?page=1&_=99", b"", None);
            replay.answer(&asked).map(|answer| format!("{answer:?}").contains("status: 201")).ok()
        };
        assert_eq!([get(), get(), get()], [Some(false), Some(true), Some(true)]);
        let post = |url: &str, body: &[u8]| {
            let asked = replay.asked_for("POST", url, body, None);
            replay.answer(&asked).is_ok()
        };
        assert!(post("http://a/log", br#"{"what":{"is":"seen","at":7},"at":8}"#));
        assert!(!post("http://a/log", br#"{"what":{"is":"else","at":7},"at":8}"#));
        assert!(post("http://a/form", b"name=ada&ts=12345"));
        assert!(!post("http://a/form", b"name=eve&ts=12345"));
    }

    #[test]
    fn the_nearest_request_is_on_the_same_server() {
        let recording =
            [entry("GET", "http://a/items?page=1", "", 200), entry("GET", "http://a/about", "", 200)];
        let replay = replay(&recording.join(","));
        let near = |url: &str| ask(&replay, "GET", url, "").unwrap_err();
        assert!(
            near("http://a/items?page=2")
                .ends_with("nearest: GET http://a/items?page=1, which differs in the query")
        );
        assert!(near("http://a/abort").ends_with("nearest: GET http://a/about, which differs in the path"));
        assert_eq!(near("http://b/about"), "the recording holds no answer for GET http://b/about");
    }
}
