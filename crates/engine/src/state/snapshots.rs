//! What was read last, to compare with.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use actions_browser::{FrameId, Page};
use actions_protocol::{ByteLimit, ErrorCode, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::budget;
use super::diff::{Diff, bytes};
use super::projection::Projection;
use super::reader::Reader;
use super::reading::Observation;
use crate::failure::CallError;

/// A whole state as it was at one moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// The projection.
    pub projection: String,
    /// The page.
    pub url: String,
    /// When it was read.
    pub observed_at: Timestamp,
    /// The hash of the state.
    pub state_hash: String,
    /// The state.
    pub state: Value,
}

impl Snapshot {
    pub(crate) fn new(observation: &Observation, state: Value) -> Self {
        let Observation { projection, url, observed_at, state_hash } = observation.clone();
        Self { projection, url, observed_at, state_hash, state }
    }
}

/// What a difference is computed against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Baseline {
    /// There was nothing to compare with; there is now.
    Initialized,
    /// The state that was read before.
    PreviousSnapshot,
}

/// What changed since the last reading.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct StateDiff {
    /// Where and when.
    #[serde(flatten)]
    pub observation: Observation,
    /// What it was computed against.
    pub baseline: Baseline,
    /// The hash of the state before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous_state_hash: Option<String>,
    /// When the state before was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous_observed_at: Option<Timestamp>,
    /// Always `json_patch`.
    pub patch_format: &'static str,
    /// The difference.
    #[serde(flatten)]
    pub diff: Diff,
}

impl StateDiff {
    /// What changed from one snapshot to the next.
    pub fn between(before: Option<&Snapshot>, after: &Snapshot) -> Self {
        let Snapshot { projection, url, observed_at, state_hash, state } = after;
        Self {
            observation: Observation {
                projection: projection.clone(),
                url: url.clone(),
                observed_at: observed_at.clone(),
                state_hash: state_hash.clone(),
            },
            baseline: before.map_or(Baseline::Initialized, |_| Baseline::PreviousSnapshot),
            previous_state_hash: before.map(|before| before.state_hash.clone()),
            previous_observed_at: before.map(|before| before.observed_at.clone()),
            patch_format: "json_patch",
            diff: before.map(|before| Diff::between(&before.state, state)).unwrap_or_default(),
        }
    }
}

/// The last snapshot of every projection, for each page of a session.
#[derive(Debug, Default)]
pub(crate) struct Snapshots {
    last: Mutex<HashMap<(FrameId, String), Before>>,
}

/// The snapshot that a difference is computed against.
#[derive(Clone, Debug)]
pub(crate) struct Before {
    pub(crate) snapshot: Snapshot,
    /// Whether it comes from outside the session, so that it may be of any page.
    foreign: bool,
}

impl Before {
    /// Refuses a snapshot from outside the session that is of a page with another address.
    fn ensure_page(&self, url: &str) -> Result<(), CallError> {
        let found = &self.snapshot.url;
        if !self.foreign || without_fragment(found) == without_fragment(url) {
            return Ok(());
        }
        let message = format!("the baseline is of {found}; this page is {url}");
        Err(CallError::new(ErrorCode::WrongUsage, message)
            .with_evidence("previous_url", found.clone())
            .with_evidence("url", url)
            .with_evidence("hint", "keep a baseline for each page; the one given was left as it is"))
    }
}

fn without_fragment(url: &str) -> &str {
    url.split_once('#').map_or(url, |(page, _)| page)
}

impl Snapshots {
    /// The last snapshot of a projection on a page.
    pub(crate) fn last(&self, page: &dyn Page, projection: &str) -> Option<Before> {
        let key = (page.main_frame(), projection.to_owned());
        self.last.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned()
    }

    /// Replaces the last snapshot of a projection by one that was just read from the page.
    pub(crate) fn keep(&self, page: &dyn Page, snapshot: Snapshot) {
        self.insert(page, Before { snapshot, foreign: false });
    }

    /// Replaces the last snapshot of a projection by one from outside the session.
    pub(crate) fn keep_foreign(&self, page: &dyn Page, snapshot: Snapshot) {
        self.insert(page, Before { snapshot, foreign: true });
    }

    fn insert(&self, page: &dyn Page, before: Before) {
        let key = (page.main_frame(), before.snapshot.projection.clone());
        self.last.lock().unwrap_or_else(PoisonError::into_inner).insert(key, before);
    }
}

impl Reader<'_> {
    /// What changed since a snapshot, within the budget of the state.
    pub(crate) async fn diff(
        &self,
        projection: &Projection,
        before: Option<&Before>,
        max_bytes: Option<ByteLimit>,
    ) -> Result<(StateDiff, Snapshot), CallError> {
        let mut reading = self.read_when_ready(projection).await?;
        let after = Snapshot::new(&reading.observation, reading.state().clone());
        before.map_or(Ok(()), |before| before.ensure_page(&after.url))?;
        let diff = StateDiff::between(before.map(|before| &before.snapshot), &after);
        let limit = budget::limit(self.limits.state_bytes, projection.max_bytes, max_bytes);
        let size = bytes(&diff.diff);
        if !limit.allows(size) {
            return Err(budget::too_large(
                "the difference",
                size,
                limit,
                projection,
                &mut reading,
                self.limits,
            ));
        }
        Ok((diff, after))
    }
}
