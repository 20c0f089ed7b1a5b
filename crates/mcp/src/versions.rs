//! The last states of projections, so that a client can ask what changed since one it knows.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};

use actions_engine::{Session, Snapshot, StateDiff};

/// How many states of a projection on a page are kept.
const KEPT: usize = 6;

/// How many bytes all kept states may have together.
const KEPT_BYTES: usize = 16 << 20;

/// How many pairs of a page and a projection are known.
const PAIRS: usize = 256;

type Key = (String, String);

/// The last states of projections, by page and projection.
#[derive(Debug, Default)]
pub(crate) struct Versions {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The states of each pair, with their sizes, from the oldest on.
    kept: HashMap<Key, VecDeque<(Snapshot, usize)>>,
    bytes: usize,
    /// The pairs in the order in which they were last used.
    order: VecDeque<Key>,
}

impl Versions {
    /// Keeps the state that a session has just read.
    pub(crate) fn keep(&self, session: &Session, projection: &str) {
        if let Some(snapshot) = session.snapshot(projection) {
            self.keep_snapshot(&handle(session), snapshot);
        }
    }

    /// Keeps a state of a page.
    pub(crate) fn keep_snapshot(&self, page: &str, snapshot: Snapshot) {
        let key: Key = (page.to_owned(), snapshot.projection.clone());
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.order.retain(|known| *known != key);
        state.order.push_back(key.clone());
        let kept = state.kept.entry(key).or_default();
        if kept.back().is_some_and(|(last, _)| last.state_hash == snapshot.state_hash) {
            return;
        }
        let size = snapshot.state.to_string().len();
        kept.push_back((snapshot, size));
        let dropped = if kept.len() > KEPT { kept.pop_front().map_or(0, |(_, size)| size) } else { 0 };
        state.bytes = (state.bytes + size).saturating_sub(dropped);
        while state.order.len() > PAIRS || (state.bytes > KEPT_BYTES && state.order.len() > 1) {
            let Some(oldest) = state.order.pop_front() else { break };
            let freed: usize = state.kept.remove(&oldest).into_iter().flatten().map(|(_, size)| size).sum();
            state.bytes = state.bytes.saturating_sub(freed);
        }
    }

    /// What changed on a page since the state with a hash, or since the state before the last one.
    pub(crate) fn diff(&self, page: &str, projection: &str, since: Option<&str>) -> Option<StateDiff> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = state.kept.get(&(page.to_owned(), projection.to_owned()))?;
        let (last, _) = kept.back()?;
        let before = match since {
            Some(hash) => Some(&kept.iter().find(|(known, _)| known.state_hash == hash)?.0),
            None => kept.iter().rev().nth(1).map(|(before, _)| before),
        };
        Some(StateDiff::between(before, last))
    }
}

/// The handle of the page of a session.
pub(crate) fn handle(session: &Session) -> String {
    format!("{}-{}", session.name(), session.page_id())
}

#[cfg(test)]
mod tests {
    use actions_engine::Timestamp;
    use serde_json::json;

    use super::*;

    fn snapshot(number: usize) -> Snapshot {
        Snapshot {
            projection: "site.board".to_owned(),
            url: "https://board.example/".to_owned(),
            observed_at: Timestamp::from_unix_millis(0),
            state_hash: format!("hash-{number}"),
            state: json!({ "count": number }),
        }
    }

    #[test]
    fn a_difference_is_computed_since_a_known_state_and_old_ones_are_forgotten() {
        let versions = Versions::default();
        for number in 0..KEPT + 2 {
            versions.keep_snapshot("main-1", snapshot(number));
            versions.keep_snapshot("main-1", snapshot(number));
        }
        let diff = |since| versions.diff("main-1", "site.board", since);
        let last = format!("hash-{}", KEPT);
        assert_eq!(diff(None).and_then(|diff| diff.previous_state_hash), Some(last));
        assert_eq!(diff(Some("hash-3")).and_then(|diff| diff.previous_state_hash).as_deref(), Some("hash-3"));
        assert!(diff(Some("hash-0")).is_none(), "it was forgotten");
        assert!(versions.diff("main-2", "site.board", None).is_none());
        for page in 0..PAIRS + 10 {
            versions.keep_snapshot(&format!("s-{page}"), snapshot(1));
        }
        let state = versions.state.lock().unwrap();
        assert!(state.kept.len() <= PAIRS && state.order.len() <= PAIRS);
    }
}
