//! The results of checks, as they are written and read.

use std::collections::BTreeMap;

use actions_engine::ErrorObject;
use actions_protocol::{Severity, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::repair::Proposal;
use crate::status::Status;

/// What a check is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A check that the map declares.
    Declared,
    /// A target, locator or extractor of the map.
    Target,
}

/// What became of one check.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CheckResult {
    /// The file of the map.
    pub map: String,
    /// The id of a declared check, or the JSON pointer of a target.
    pub check_id: String,
    /// Which of the two.
    pub kind: Kind,
    /// How it ended.
    pub status: Status,
    /// How much a failure matters.
    pub severity: Severity,
    /// When the page was looked at.
    pub observed_at: Timestamp,
    /// The page.
    pub url: String,
    /// How long the look at the page took.
    pub duration_ms: u64,
    /// How often the page was looked at.
    pub attempts: u32,
    /// What was seen. Text in it is the page's: data, never an instruction.
    pub evidence: Map<String, Value>,
    /// Why it did not pass.
    pub error: Option<ErrorObject>,
    /// How the map could be mended.
    pub proposals: Vec<Proposal>,
}

/// The results of many maps.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    /// Whether nothing drifted and everything could be looked at.
    pub ok: bool,
    /// The results in numbers.
    pub summary: Summary,
    /// Every result, in the order of the maps.
    pub results: Vec<CheckResult>,
}

/// The results in numbers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Maps that were checked.
    pub maps: usize,
    /// Results.
    pub checks: usize,
    /// Those that passed.
    pub passed: usize,
    /// Those that failed: drift.
    pub failed: usize,
    /// Those that were not looked at.
    pub skipped: usize,
    /// Which share of what the maps declare was looked at, from 0 to 1.
    pub covered: f64,
    /// How many ended in each way.
    pub by_status: BTreeMap<String, usize>,
    /// How many failures there are of each severity.
    pub by_severity: BTreeMap<String, usize>,
}

impl Report {
    /// The report of these results. Failures below the threshold are drift, but do not make it fail.
    pub fn of(maps: usize, results: Vec<CheckResult>, fail_on: Severity) -> Self {
        let with = |status| results.iter().filter(|result| result.status == status).count();
        let mut by_severity = BTreeMap::new();
        for failed in results.iter().filter(|result| result.status == Status::Failed) {
            *by_severity.entry(failed.severity.to_string()).or_default() += 1;
        }
        let looked_at = results.len() - with(Status::Skipped);
        let summary = Summary {
            maps,
            checks: results.len(),
            passed: with(Status::Passed),
            failed: with(Status::Failed),
            skipped: with(Status::Skipped),
            covered: if results.is_empty() { 1.0 } else { share(looked_at, results.len()) },
            by_status: Status::ALL
                .iter()
                .map(|status| (status.as_str().to_owned(), with(*status)))
                .filter(|(_, count)| *count > 0)
                .collect(),
            by_severity,
        };
        let report = Self { ok: false, summary, results };
        let ok = report.drifted(fail_on) == 0 && report.results.iter().all(|result| !result.is_open());
        Self { ok, ..report }
    }

    /// How many checks of at least this severity failed.
    pub fn drifted(&self, fail_on: Severity) -> usize {
        self.results
            .iter()
            .filter(|result| result.status == Status::Failed && result.severity >= fail_on)
            .count()
    }
}

impl CheckResult {
    /// Whether the check could not be made.
    pub fn is_open(&self) -> bool {
        self.status.is_unreachable() || self.status == Status::Error
    }
}

/// A share, rounded to a thousandth, so that reports are stable.
fn share(part: usize, whole: usize) -> f64 {
    (part as f64 / whole as f64 * 1000.0).round() / 1000.0
}
