//! Checks one map of many. Whatever goes wrong with it is one of its results.

use std::path::{Path, PathBuf};

use actions_drift::{
    CheckResult, Checked, Checker, Kind, Lock, MAX_LOCK_BYTES, Options, Recording, Source, Status,
    recordings_beside,
};
use actions_engine::browser::{Browser, Clock, SystemClock};
use actions_engine::{CallError, CheckedManifest};
use actions_manifest::{Profile, Severity as FindingSeverity};
use actions_protocol::{ErrorCode, Severity, Timestamp};
use serde_json::{Map, json};

use super::evidence;
use crate::live::LiveOptions;
use crate::maps::validate_file;

/// What all maps have in common.
pub(super) struct OneMap<'o> {
    pub(super) profile: Profile,
    pub(super) live: &'o LiveOptions,
    pub(super) replay: Option<&'o Path>,
    pub(super) options: &'o Options,
    pub(super) evidence: Option<&'o Path>,
}

/// What became of one map.
#[derive(Debug)]
pub(super) struct Looked {
    pub(super) results: Vec<CheckResult>,
    /// The lock to write, and where.
    pub(super) lock: Option<(PathBuf, Lock)>,
}

impl OneMap<'_> {
    /// Loads a map, looks at its pages, and lets go of both.
    pub(super) async fn look(&self, browser: &dyn Browser, path: &Path) -> Looked {
        match Box::pin(self.try_look(browser, path)).await {
            Ok(looked) => looked,
            Err(error) => self.broken(path, &error),
        }
    }

    async fn try_look(&self, browser: &dyn Browser, path: &Path) -> Result<Looked, CallError> {
        let manifest = valid_map(path, self.profile)?;
        let lock_path = lock_beside(path);
        let lock = read_lock(&lock_path)?;
        let (source, also) = self.source(path)?;
        let engine = self.live.engine_for(manifest, self.replay.is_some());
        let checker = Checker {
            browser,
            engine: &engine,
            name: path.display().to_string(),
            lock: &lock,
            source: &source,
            start: self.live.url.clone(),
            also,
            only: None,
            options: self.options,
        };
        let Checked { mut results, lock, pictures } = Box::pin(checker.check()).await;
        place(engine.manifest(), &mut results);
        if let Some(folder) = self.evidence {
            evidence::keep(folder, path, &mut results, &pictures)?;
        }
        Ok(Looked { results, lock: lock.map(|lock| (lock_path, lock)) })
    }

    /// Where pages come from, and which live pages are worth a look because they were recorded once.
    fn source(&self, map: &Path) -> Result<(Source, Vec<String>), CallError> {
        let files = match self.replay {
            Some(file) if !file.is_dir() => vec![file.to_owned()],
            _ => recordings_beside(map),
        };
        let read = |file: &PathBuf| {
            Recording::read(file).map_err(|error| {
                CallError::new(ErrorCode::InvalidInput, error.to_string()).with_evidence("hint", error.hint())
            })
        };
        let recordings = files.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        if self.replay.is_none() {
            return Ok((
                Source::Live,
                recordings.into_iter().flat_map(|recording| recording.pages).collect(),
            ));
        }
        if recordings.is_empty() {
            let message = format!("there are no recordings beside {}", map.display());
            return Err(CallError::new(ErrorCode::ReplayMiss, message).with_evidence(
                "hint",
                "record some with `actions record MAP TOOL --har recordings/NAME.har`",
            ));
        }
        Ok((Source::Recorded(recordings), Vec::new()))
    }

    /// The one result of a map that could not be checked.
    pub(super) fn broken(&self, path: &Path, error: &CallError) -> Looked {
        let result = CheckResult {
            map: path.display().to_string(),
            check_id: "map".to_owned(),
            kind: Kind::Declared,
            status: Status::Error,
            severity: Severity::Major,
            observed_at: Timestamp::from_unix_millis(SystemClock.unix_millis()),
            url: String::new(),
            duration_ms: 0,
            attempts: 0,
            evidence: Map::new(),
            error: Some(error.to_error_object()),
            proposals: Vec::new(),
        };
        Looked { results: vec![result], lock: None }
    }
}

/// Loads a map for a command that works on many: what is wrong with it is one error.
pub(crate) fn valid_map(path: &Path, profile: Profile) -> Result<CheckedManifest, CallError> {
    let validation = validate_file(path, profile).map_err(|error| CallError::from(&error))?;
    validation.manifest.ok_or_else(|| {
        let errors = validation.findings.iter().filter(|found| found.severity == FindingSeverity::Error);
        let first = errors.clone().next().map(|found| format!("{} {}", found.rule.code, found.message));
        let message = format!("the map is invalid: {}", first.unwrap_or_default());
        CallError::new(ErrorCode::ManifestInvalid, message)
            .with_evidence("errors", errors.count())
            .with_evidence("hint", format!("`actions validate {}` says where", path.display()))
    })
}

/// The lock file of a map: `actions.lock.json` beside `actions.json`.
pub(crate) fn lock_beside(map: &Path) -> PathBuf {
    let stem = map.file_stem().unwrap_or_default().to_string_lossy();
    map.with_file_name(format!("{stem}.lock.json"))
}

/// Reads a lock file; one that is not there knows nothing.
pub(crate) fn read_lock(path: &Path) -> Result<Lock, CallError> {
    let invalid = |problem: String| {
        CallError::new(ErrorCode::InvalidInput, format!("{} is no lock file: {problem}", path.display()))
            .with_evidence(
                "hint",
                "restore it from version control, or remove it and run with `--update-lock`",
            )
    };
    match std::fs::metadata(path) {
        Err(_) => return Ok(Lock::default()),
        Ok(there) if !there.is_file() => return Err(invalid("it is not a file".to_owned())),
        Ok(there) if there.len() > MAX_LOCK_BYTES => {
            return Err(invalid(format!("it is larger than {MAX_LOCK_BYTES} bytes")));
        }
        Ok(_) => {}
    }
    let text = std::fs::read_to_string(path).map_err(|error| invalid(error.to_string()))?;
    Lock::parse(&text).map_err(|error| invalid(error.to_string()))
}

/// Adds to every result where in the map it belongs.
fn place(manifest: &CheckedManifest, results: &mut [CheckResult]) {
    let document = manifest.document();
    for result in results {
        let pointer = match result.kind {
            Kind::Target => result.check_id.clone(),
            Kind::Declared => {
                result.evidence.get("pointer").and_then(|at| at.as_str()).unwrap_or_default().to_owned()
            }
        };
        if let Some(node) = document.root().at(&pointer) {
            let position = document.source().position(node.span().start);
            result.evidence.insert("line".to_owned(), json!(position.line));
            result.evidence.insert("column".to_owned(), json!(position.column));
        }
    }
}
