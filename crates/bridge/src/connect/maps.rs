//! The maps and projections that a peer sends with its calls. Each is validated before anything of it runs.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use actions_engine::{CallError, Engine, ErrorCode};
use actions_manifest::{NoImports, Options, Profile, Severity, validate};
use actions_runtime::MakeEngine;
use serde_json::{Value, json};

use crate::request::digest;

/// How many maps are kept: a peer sends the same one with every call.
const KEPT: usize = 16;

/// Validates maps and keeps the last ones.
pub(super) struct PeerMaps {
    make_engine: MakeEngine,
    kept: Mutex<VecDeque<(u64, Engine)>>,
}

impl PeerMaps {
    pub(super) fn new(make_engine: MakeEngine) -> Self {
        Self { make_engine, kept: Mutex::default() }
    }

    /// The engine of a map. Its imports are not followed: they would name files of this machine.
    pub(super) fn engine(&self, map: &Value) -> Result<Engine, CallError> {
        let text = map.to_string();
        let key = digest(&text);
        let kept = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, engine)) = kept().iter().find(|(known, _)| *known == key) {
            return Ok(engine.clone());
        }
        let options = Options { profile: Profile::Lenient, imports: &NoImports };
        let validation = validate("the map of the call", text.as_bytes(), &options);
        let findings = validation.findings;
        let Some(manifest) = validation.manifest else {
            let errors = findings.iter().filter(|finding| finding.severity == Severity::Error);
            let errors: Vec<String> =
                errors.take(10).map(|one| format!("{} {}", one.rule.code, one.message)).collect();
            let first = errors.first().cloned().unwrap_or_default();
            return Err(CallError::new(
                ErrorCode::ManifestInvalid,
                format!("the map of the call is invalid: {first}"),
            )
            .with_evidence("findings", errors));
        };
        let engine = (self.make_engine)(manifest);
        let mut kept = kept();
        kept.push_front((key, engine.clone()));
        kept.truncate(KEPT);
        Ok(engine)
    }

    /// The engine of one projection.
    pub(super) fn projection(&self, projection: &Value) -> Result<Engine, CallError> {
        self.engine(&json!({
            "protocol": "actions.json", "version": 1, "surface": { "name": "A projection" }, "tools": [],
            "state_projections": [projection],
        }))
    }
}
