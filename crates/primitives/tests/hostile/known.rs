//! The deviations that are known, each with its reason.

use std::collections::BTreeMap;

use crate::judge::Verdict;

/// By verdict: the cases that get it, and why.
pub(crate) type Known = BTreeMap<Verdict, BTreeMap<String, String>>;

/// Reads the list.
pub(crate) fn read() -> Known {
    let known: Known = serde_json::from_str(include_str!("known.json")).expect("known.json lists verdicts");
    for (verdict, cases) in &known {
        assert!(!verdict.is_right() && !verdict.is_inexcusable(), "{verdict:?} cannot be listed");
        assert!(cases.values().all(|reason| !reason.trim().is_empty()), "every deviation has a reason");
    }
    known
}
