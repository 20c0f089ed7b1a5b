//! Which tools were called in a session, when, and which of them succeeded.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The most calls that are remembered of one tool. Limits that count more are kept by the sites themselves.
const MOST_CALLS: usize = 10_000;

/// Which tools were called in a session, when, and which of them succeeded.
#[derive(Debug, Default)]
pub struct History {
    seen: Mutex<Seen>,
}

#[derive(Debug, Default)]
struct Seen {
    succeeded: BTreeSet<String>,
    calls: BTreeMap<String, VecDeque<Instant>>,
}

impl History {
    /// Notes that a tool has succeeded, or that a person says so.
    pub fn succeeded(&self, tool: impl Into<String>) {
        self.seen().succeeded.insert(tool.into());
    }

    /// The tools among these that have not succeeded.
    pub fn missing<'t>(&self, tools: impl IntoIterator<Item = &'t str>) -> Vec<String> {
        let seen = self.seen();
        tools.into_iter().filter(|tool| !seen.succeeded.contains(*tool)).map(str::to_owned).collect()
    }

    /// Counts a call under each of these names, if every limit allows one more; else counts nothing and returns how long to
    /// wait. A limit is a name, how many calls, and within how long.
    pub fn count<'n>(
        &self,
        limits: impl IntoIterator<Item = (&'n str, usize, Duration)>,
        now: Instant,
    ) -> Result<(), Duration> {
        let mut seen = self.seen();
        let limits: Vec<(&str, usize, Duration)> = limits.into_iter().collect();
        let wait = limits.iter().filter_map(|(name, count, per)| {
            let calls = seen.calls.get(*name)?;
            let within = calls.iter().rev().take_while(|at| now.saturating_duration_since(**at) < *per);
            let oldest = within.clone().nth(count.saturating_sub(1))?;
            Some(per.saturating_sub(now.saturating_duration_since(*oldest)).max(Duration::from_millis(1)))
        });
        if let Some(wait) = wait.max() {
            return Err(wait);
        }
        for name in limits.iter().map(|(name, _, _)| *name).collect::<BTreeSet<_>>() {
            let calls = seen.calls.entry(name.to_owned()).or_default();
            calls.push_back(now);
            if calls.len() > MOST_CALLS {
                calls.pop_front();
            }
        }
        Ok(())
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_counts_the_calls_of_a_sliding_window() {
        let history = History::default();
        let start = Instant::now();
        let at = |seconds: u64| start + Duration::from_secs(seconds);
        let limit = [("tool", 2, Duration::from_secs(60))];
        assert_eq!(history.count(limit, at(0)), Ok(()));
        assert_eq!(history.count(limit, at(50)), Ok(()));
        assert_eq!(history.count(limit, at(55)), Err(Duration::from_secs(5)));
        assert_eq!(history.count(limit, at(60)), Ok(()), "the first call has left the window");
        assert_eq!(history.count(limit, at(61)), Err(Duration::from_secs(49)));
    }

    #[test]
    fn a_call_that_one_limit_refuses_counts_for_none() {
        let history = History::default();
        let now = Instant::now();
        let hour = Duration::from_secs(3600);
        assert_eq!(history.count([("a", 1, hour)], now), Ok(()));
        assert_eq!(history.count([("b", 1, hour), ("a", 1, hour)], now), Err(hour));
        assert_eq!(history.count([("b", 1, hour)], now), Ok(()), "it was not counted before");
    }

    #[test]
    fn what_has_not_succeeded_is_missing() {
        let history = History::default();
        history.succeeded("search");
        assert_eq!(history.missing(["search", "book"]), ["book"]);
    }
}
