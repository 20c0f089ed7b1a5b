//! Plans the signals of a map: the event of the page, where it comes from, and what its payload must be.

use actions_manifest::CheckedManifest;
use actions_manifest::model::{self, Direction, Ingestion};
use actions_protocol::ErrorCode;
use serde_json::Value;

use crate::failure::CallError;
use crate::schema::Checker;

/// A signal of a map that is enabled: an event of the page that may be forwarded.
#[derive(Debug)]
pub struct SignalPlan {
    /// Its name.
    pub name: String,
    /// The event of the page.
    pub event: String,
    /// The event must come from an element that one of these matches, or from inside one; from anywhere if there are none.
    pub selectors: Vec<String>,
    payload: Option<Checker>,
}

impl SignalPlan {
    /// The enabled signals of a composition that the page sends.
    pub(crate) fn all(manifest: &CheckedManifest) -> Vec<Self> {
        let enabled = |signal: &model::Signal| {
            signal.ingestion.as_ref().is_some_and(|ingestion| ingestion.value == Ingestion::Enabled)
                && signal.direction.as_ref().is_none_or(|direction| *direction != Direction::AgentToHtml)
        };
        let signals = manifest.signals().filter(|exposed| enabled(exposed.item));
        let planned = signals.filter_map(|exposed| {
            let signal = exposed.item;
            // A schema that cannot be used was reported when the map was validated.
            let payload =
                signal.payload.as_ref().map(|payload| Checker::of(&payload.schema)).transpose().ok()?;
            Some(Self {
                name: exposed.name.to_string(),
                event: signal.event.as_ref()?.value.to_string(),
                selectors: signal.target.as_ref().map(selectors).unwrap_or_default(),
                payload,
            })
        });
        planned.collect()
    }

    /// Fails unless a payload fits the schema of the signal. The error repeats nothing of a payload that was too large.
    pub fn accept(&self, payload: &Value) -> Result<(), CallError> {
        let Some(checker) = &self.payload else { return Ok(()) };
        checker.check(payload).map_err(|misfit| {
            let faults = misfit.into_faults();
            let message = format!(
                "the payload of the signal `{}` does not fit its schema{}",
                self.name,
                faults.sentence()
            );
            faults.evidence(CallError::new(ErrorCode::InvalidResult, message))
        })
    }
}

/// Every selector by which a target finds its element.
fn selectors(target: &model::Target) -> Vec<String> {
    let one = target.selector.iter().map(|selector| selector.value.to_string());
    let many = target.selectors.iter().chain(&target.fallback_selectors);
    one.chain(many.flat_map(|many| many.0.iter().map(|one| one.value.to_string()))).collect()
}
