//! The results of cases, as they are written and read.

use actions_engine::ErrorObject;
use serde::{Deserialize, Serialize};

use super::difference::Difference;

/// How a case ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CaseStatus {
    /// It came out as expected.
    Passed,
    /// It came out differently, or could not be run.
    Failed,
    /// Its file says that it is not run.
    Skipped,
}

/// What became of one case.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CaseResult {
    /// Its name: that of its file.
    pub case: String,
    /// The file of its map.
    pub map: String,
    /// What it shows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// How it ended.
    pub status: CaseStatus,
    /// How long it took.
    pub duration_ms: u64,
    /// Where what came of it is not what is expected; null if it passed.
    pub difference: Option<Vec<Difference>>,
    /// Why it could not be run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorObject>,
    /// Why it is not run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skipped: Option<String>,
}

/// The results of many cases.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CaseReport {
    /// Whether no case failed.
    pub ok: bool,
    /// The results in numbers.
    pub summary: CaseSummary,
    /// Every result, in the order of the maps.
    pub results: Vec<CaseResult>,
}

/// The results in numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseSummary {
    /// Cases.
    pub cases: usize,
    /// Those that came out as expected.
    pub passed: usize,
    /// Those that came out differently, or could not be run.
    pub failed: usize,
    /// Those that were not run.
    pub skipped: usize,
}

impl CaseReport {
    /// The report of these results.
    pub fn of(results: Vec<CaseResult>) -> Self {
        let with = |status| results.iter().filter(|result| result.status == status).count();
        let summary = CaseSummary {
            cases: results.len(),
            passed: with(CaseStatus::Passed),
            failed: with(CaseStatus::Failed),
            skipped: with(CaseStatus::Skipped),
        };
        Self { ok: summary.failed == 0, summary, results }
    }
}
