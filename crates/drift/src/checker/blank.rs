//! What all results of one look have in common.

use std::time::Duration;

use actions_engine::ErrorObject;
use actions_protocol::{Severity, Timestamp};
use serde_json::{Map, json};

use super::said::Said;
use crate::assertion::Check;
use crate::result::{CheckResult, Kind};
use crate::status::Status;
use crate::target::Target;
use crate::wall::Wall;

/// What all results of one look have in common.
pub(super) struct Blank<'b> {
    pub(super) map: &'b str,
    pub(super) attempts: u32,
    pub(super) duration: Duration,
    pub(super) observed_at: Timestamp,
}

impl Blank<'_> {
    pub(super) fn declared(&self, check: &Check<'_>, url: &str) -> CheckResult {
        let id = check.id.clone();
        let blank = self.of(id, Kind::Declared, check.item.severity, url);
        let evidence = [("pointer", check.pointer.as_str())];
        CheckResult {
            evidence: evidence.map(|(key, value)| (key.to_owned(), json!(value))).into_iter().collect(),
            ..blank
        }
    }

    pub(super) fn target(&self, target: &Target, url: &str) -> CheckResult {
        let blank = self.of(target.pointer.clone(), Kind::Target, Severity::Minor, url);
        let mut evidence = Map::new();
        evidence.insert("about".to_owned(), json!(target.owner));
        CheckResult { evidence, ..blank }
    }

    fn of(&self, check_id: String, kind: Kind, severity: Severity, url: &str) -> CheckResult {
        CheckResult {
            map: self.map.to_owned(),
            check_id,
            kind,
            status: Status::Passed,
            severity,
            observed_at: self.observed_at.clone(),
            url: url.to_owned(),
            duration_ms: u64::try_from(self.duration.as_millis()).unwrap_or(u64::MAX),
            attempts: self.attempts,
            evidence: Map::new(),
            error: None,
            proposals: Vec::new(),
        }
    }
}

pub(super) fn walled(wall: &Wall, blank: CheckResult) -> Said {
    let error = Some(ErrorObject::new(wall.code, wall.message.clone()));
    let result = CheckResult { status: wall.status, error, ..blank };
    if wall.status == Status::Failed { Said::Failed(result) } else { Said::Open(result) }
}

pub(super) fn skipped(blank: CheckResult, why: &str) -> CheckResult {
    let mut evidence = blank.evidence.clone();
    evidence.insert("skipped".to_owned(), json!(why));
    CheckResult { status: Status::Skipped, evidence, ..blank }
}

pub(super) fn why_skipped(target: &Target) -> &'static str {
    match &target.locator {
        None => "which element it names is computed from the input of a call",
        Some(_) if target.is_bound() => "no page that was looked at is one where it applies",
        Some(_) => "no page that was looked at shows it; reaching it may change something",
    }
}
