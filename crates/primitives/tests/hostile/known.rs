//! The deviations that are known, each with its reason.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::judge::Verdict;

/// By verdict: the cases that get it, and why.
pub(crate) type Listed = BTreeMap<Verdict, BTreeMap<String, String>>;

/// The known deviations.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Known {
    /// Those that show in every run: the list must shrink when one is gone.
    pub(crate) always: Listed,
    /// Races that the load of the machine decides. A success that is false is never one of them.
    pub(crate) sometimes: Listed,
}

impl Known {
    /// Reads the list.
    pub(crate) fn read() -> Self {
        let known: Self =
            serde_json::from_str(include_str!("known.json")).expect("known.json lists verdicts");
        for (verdict, cases) in known.always.iter().chain(&known.sometimes) {
            assert!(!verdict.is_right() && !verdict.is_inexcusable(), "{verdict:?} cannot be listed");
            assert!(cases.values().all(|reason| !reason.trim().is_empty()), "every deviation has a reason");
        }
        assert!(!known.sometimes.contains_key(&Verdict::FalseSuccess), "a false success is no race");
        known
    }

    /// Whether a case may get a verdict.
    pub(crate) fn lists(&self, verdict: Verdict, name: &str) -> bool {
        [&self.always, &self.sometimes]
            .iter()
            .any(|listed| listed.get(&verdict).is_some_and(|cases| cases.contains_key(name)))
    }
}
