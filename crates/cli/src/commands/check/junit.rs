//! Results of checks as JUnit XML.

use std::time::Duration;

use actions_drift::{CheckResult, Status};
use actions_engine::CallError;

use crate::junit::{self, Case, Ended};

/// Prints results as JUnit XML, one suite for each map.
pub(super) fn print(results: &[CheckResult]) -> Result<(), CallError> {
    junit::print("actions check", results.iter().map(case))
}

fn case(result: &CheckResult) -> Case {
    let error = || {
        let code = result.error.as_ref().map(|error| error.code.to_string()).unwrap_or_default();
        let message = result.error.as_ref().map(|error| error.message.clone()).unwrap_or_default();
        (code, format!("{}: {message}", result.severity))
    };
    let ended = match result.status {
        Status::Passed => Ended::Passed,
        Status::Skipped => {
            let why = result.evidence.get("skipped").and_then(|why| why.as_str()).unwrap_or_default();
            Ended::Skipped(why.to_owned())
        }
        Status::Failed => {
            let (code, message) = error();
            Ended::Failed(code, message)
        }
        status => {
            let (_, message) = error();
            Ended::Error(status.as_str().to_owned(), message)
        }
    };
    Case {
        suite: result.map.clone(),
        name: result.check_id.clone(),
        took: Duration::from_millis(result.duration_ms),
        ended,
    }
}
