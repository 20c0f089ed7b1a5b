//! The file of a case, and the result that it has.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use actions_drift::{Case, CaseResult, CaseStatus, Difference, Found, MAX_CASE_BYTES, Recording};
use actions_engine::CallError;
use actions_protocol::{ErrorCode, ErrorObject};
use serde_json::{Value, json};

use super::maps_of_cases::Shelf;
use super::{Played, Unsteady};

/// The file of a case.
#[derive(Debug)]
pub(super) struct CaseFile {
    pub(super) path: PathBuf,
    pub(super) map: PathBuf,
    pub(super) case: Result<Case, CallError>,
    /// The text, which keeps its form where only the expectation changes.
    pub(super) text: String,
}

impl CaseFile {
    pub(super) fn read(path: &Path, map: &Path) -> Self {
        let text = text(path);
        let case = text.as_ref().map_err(Clone::clone).and_then(|text| {
            Case::parse(text).map_err(|error| {
                CallError::new(ErrorCode::InvalidInput, format!("{}: {error}", path.display())).with_evidence(
                    "hint",
                    "a case is {\"run\": {\"tool\", \"arguments\"}, \"recording\", \"expect\": {\"value\"}}; see docs/guide/test.md",
                )
            })
        });
        Self { path: path.to_owned(), map: map.to_owned(), case, text: text.unwrap_or_default() }
    }

    /// The recording that the case names.
    pub(super) fn recording(&self, shelf: &Shelf) -> Result<Option<Arc<Recording>>, CallError> {
        let named = self.case.as_ref().ok().and_then(|case| case.recording.as_deref());
        let folder = self.map.parent().unwrap_or(Path::new(""));
        named.map(|name| shelf.recording(&folder.join(name))).transpose()
    }

    fn result(&self, status: CaseStatus, duration_ms: u64) -> CaseResult {
        let name = self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        CaseResult {
            case: name,
            map: self.map.display().to_string(),
            description: self.case.as_ref().ok().and_then(|case| case.description.clone()),
            status,
            duration_ms,
            difference: None,
            error: None,
            skipped: None,
        }
    }

    pub(super) fn skipped(self) -> Played {
        let why = self.case.as_ref().ok().and_then(|case| case.skip.clone()).unwrap_or_default();
        let result = CaseResult { skipped: Some(why), ..self.result(CaseStatus::Skipped, 0) };
        Played { file: self, result, found: None, error: None }
    }

    pub(super) fn broken(self, error: CallError, took: u64) -> Played {
        let result =
            CaseResult { error: Some(error.to_error_object()), ..self.result(CaseStatus::Failed, took) };
        Played { file: self, result, found: None, error: Some(error) }
    }

    /// Compares what came of the case with what is expected. `unsteady` is a repetition that came out differently.
    pub(super) fn judged(self, found: Found, unsteady: Option<Unsteady>, took: u64) -> Played {
        let expected = match &self.case {
            Ok(case) => case.expect.clone(),
            Err(error) => {
                let error = error.clone();
                return self.broken(error, took);
            }
        };
        if let Some(Unsteady { number, difference }) = unsteady {
            let message = format!("repetition {number} came out differently from the first");
            let error = Some(ErrorObject::new(ErrorCode::DriftDetected, message));
            let difference = Some(difference);
            let result = CaseResult { difference, error, ..self.result(CaseStatus::Failed, took) };
            return Played { file: self, result, found: Some(found), error: None };
        }
        if expected.asks_for_nothing() {
            let expected = found.accepted(&expected);
            let whole = Difference { path: String::new(), expected: None, found: Some(json!(expected)) };
            let message = "the case expects nothing yet; `--accept` writes what came of it into `expect`";
            let error = Some(ErrorObject::new(ErrorCode::DriftDetected, message));
            let difference = Some(vec![whole]);
            let result = CaseResult { difference, error, ..self.result(CaseStatus::Failed, took) };
            return Played { file: self, result, found: Some(found), error: None };
        }
        let difference = found.differs_from(&expected);
        let result = match difference.is_empty() {
            true => self.result(CaseStatus::Passed, took),
            false => CaseResult { difference: Some(difference), ..self.result(CaseStatus::Failed, took) },
        };
        Played { file: self, result, found: Some(found), error: None }
    }

    /// The text of the file with what came of the case as its expectation; everything else as it was.
    pub(super) fn accepting(&self, found: &Found) -> Option<String> {
        let case = self.case.as_ref().ok()?;
        let mut written: Value = serde_json::from_str(&self.text).ok()?;
        written["expect"] = json!(found.accepted(&case.expect));
        serde_json::to_string_pretty(&written).ok().map(|text| text + "\n")
    }
}

fn text(path: &Path) -> Result<String, CallError> {
    let unreadable =
        |problem: String| CallError::new(ErrorCode::InvalidInput, format!("{}: {problem}", path.display()));
    let there = std::fs::metadata(path).map_err(|error| unreadable(error.to_string()))?;
    if !there.is_file() || there.len() > MAX_CASE_BYTES {
        return Err(unreadable(format!("a case is a file of at most {MAX_CASE_BYTES} bytes")));
    }
    std::fs::read_to_string(path).map_err(|error| unreadable(error.to_string()))
}
