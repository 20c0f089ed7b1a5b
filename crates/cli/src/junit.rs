//! Results as JUnit XML, for CI servers.

use std::time::Duration;

use actions_engine::CallError;
use actions_protocol::ErrorCode;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use crate::output;

/// One test case.
#[derive(Debug)]
pub(crate) struct Case {
    /// The map it belongs to.
    pub(crate) suite: String,
    pub(crate) name: String,
    pub(crate) took: Duration,
    pub(crate) ended: Ended,
}

/// How it ended.
#[derive(Debug)]
pub(crate) enum Ended {
    Passed,
    Skipped(String),
    /// The kind of failure, and what to show.
    Failed(String, String),
    Error(String, String),
}

/// Prints a report. Cases of one suite stand together.
pub(crate) fn print(name: &str, cases: impl IntoIterator<Item = Case>) -> Result<(), CallError> {
    let mut report = Report::new(name);
    let mut suites: Vec<TestSuite> = Vec::new();
    for case in cases {
        let Case { suite, name, took, ended } = case;
        let status = match ended {
            Ended::Passed => TestCaseStatus::success(),
            Ended::Skipped(why) => {
                let mut status = TestCaseStatus::skipped();
                status.set_message(why);
                status
            }
            Ended::Failed(kind, text) => unsuccessful(NonSuccessKind::Failure, kind, text),
            Ended::Error(kind, text) => unsuccessful(NonSuccessKind::Error, kind, text),
        };
        let mut test = TestCase::new(name, status);
        test.set_classname(suite.clone()).set_time(took);
        match suites.iter_mut().find(|known| known.name.as_str() == suite) {
            Some(known) => drop(known.add_test_case(test)),
            None => {
                let mut new = TestSuite::new(suite);
                new.add_test_case(test);
                suites.push(new);
            }
        }
    }
    report.add_test_suites(suites);
    let text =
        report.to_string().map_err(|error| CallError::new(ErrorCode::InternalError, error.to_string()))?;
    output::verbatim(text.trim_end());
    Ok(())
}

fn unsuccessful(kind: NonSuccessKind, code: String, text: String) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(code).set_message(text);
    status
}
