//! The network of a page: what replays, records and reports its requests.

use std::sync::Arc;

use actions_engine::browser::{Recorder, Replay, ReplayMiss, Steady};
use actions_engine::{CallError, Secrets};
use actions_protocol::ErrorCode;
use serde_json::json;

use crate::output::note;
use crate::text::line;

/// How the network of a page is replayed, recorded and reported.
#[derive(Default)]
pub(crate) struct Network {
    /// The recording that answers requests.
    pub(crate) replay: Option<Arc<Replay>>,
    /// The recorder of live traffic.
    pub(crate) recorder: Option<Arc<Recorder>>,
    /// Whether failed requests become events.
    pub(crate) report_failures: bool,
    /// The clock and the random numbers of the page; those of the machine if absent.
    pub(crate) steady: Option<Steady>,
}

impl Network {
    /// Warns about requests that the recording does not contain, with secrets masked. Skips the request that `error`
    /// already reports.
    pub(crate) fn warn_about_misses(&self, error: Option<&CallError>, secrets: &Secrets) {
        let misses = self.replay.iter().flat_map(|replay| replay.misses());
        for miss in misses.filter(|miss| !error.is_some_and(|error| is_about(error, miss, secrets))) {
            note(format_args!("warning: {}", line(&secrets.mask(miss.to_string().as_str()))));
        }
    }
}

/// Whether an error reports this request. The evidence of an error is masked.
fn is_about(error: &CallError, miss: &ReplayMiss, secrets: &Secrets) -> bool {
    let is = |key: &str, text: &str| error.evidence.get(key) == Some(&json!(*secrets.mask(text)));
    error.code == ErrorCode::ReplayMiss
        && is("method", &miss.method)
        && is("address", &miss.url)
        && error.evidence.get("body") == Some(&json!(miss.body))
}
