//! Results of cases as JUnit XML.

use std::time::Duration;

use actions_drift::{CaseResult, CaseStatus};
use actions_engine::CallError;

use crate::junit::{self, Case, Ended};

/// Prints results as JUnit XML, one suite for each map.
pub(super) fn print(results: &[CaseResult]) -> Result<(), CallError> {
    junit::print("actions test", results.iter().map(case))
}

fn case(result: &CaseResult) -> Case {
    let error = result.error.as_ref();
    let message = error.map(|error| error.message.clone()).unwrap_or_default();
    let ended = match (result.status, &result.difference) {
        (CaseStatus::Passed, _) => Ended::Passed,
        (CaseStatus::Skipped, _) => Ended::Skipped(result.skipped.clone().unwrap_or_default()),
        (CaseStatus::Failed, None) => {
            Ended::Error(error.map(|error| error.code.to_string()).unwrap_or_default(), message)
        }
        (CaseStatus::Failed, Some(list)) => {
            let text = |value: &Option<serde_json::Value>| {
                value.as_ref().map_or_else(|| "nothing".to_owned(), ToString::to_string)
            };
            let lines = list.iter().map(|each| {
                format!("{}: expected {}, found {}", each.path, text(&each.expected), text(&each.found))
            });
            let lines: Vec<String> =
                Some(message).filter(|message| !message.is_empty()).into_iter().chain(lines).collect();
            Ended::Failed("difference".to_owned(), lines.join("\n"))
        }
    };
    Case {
        suite: result.map.clone(),
        name: result.case.clone(),
        took: Duration::from_millis(result.duration_ms),
        ended,
    }
}
