//! Takes a projection from the page.

use std::time::Duration;

use actions_browser::{Deadline, Page};
use actions_expr::Budget;
use actions_primitives::{Extracted, extract, page_change};
use actions_protocol::{ByteLimit, ErrorCode, Millis, Timestamp, limits};
use serde_json::{Value, json};

use super::budget;
use super::diff::bytes;
use super::hash::state_hash;
use super::projection::Projection;
use super::reading::{Diagnostics, Observation, Reading, StateReading, SummaryReading};
use super::summary;
use crate::failure::CallError;
use crate::limits::Limits;
use actions_primitives::Stage;

/// Reads projections from a page.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'r> {
    pub(crate) stage: &'r Stage,
    pub(crate) limits: &'r Limits,
    pub(crate) deadline: Deadline,
}

impl<'r> Reader<'r> {
    /// The page that is read.
    pub(crate) fn page(&self) -> &'r dyn Page {
        self.stage.page()
    }

    /// The whole state, within its budget.
    pub(crate) async fn state(
        &self,
        projection: &Projection,
        max_bytes: Option<ByteLimit>,
    ) -> Result<StateReading, CallError> {
        let mut reading = self.read_when_ready(projection).await?;
        let limit = budget::limit(self.limits.state_bytes, projection.max_bytes, max_bytes);
        let (observation, markers) = (reading.observation.clone(), reading.markers.take());
        let size = reading.diagnostics.bytes + markers.as_ref().map_or(0, bytes);
        if !limit.allows(size) {
            let what = if markers.is_some() { "the state with markers" } else { "the state" };
            return Err(budget::too_large(what, size, limit, projection, &mut reading, self.limits));
        }
        let diagnostics = reading.diagnostics.clone();
        Ok(StateReading { observation, markers, diagnostics, state: reading.into_state() })
    }

    /// A summary within its budget, and the whole state it sums up, which stays here.
    pub(crate) async fn summary(
        &self,
        projection: &Projection,
        name: &str,
        arguments: &Value,
        max_bytes: Option<ByteLimit>,
    ) -> Result<(SummaryReading, Value), CallError> {
        let summary = summary::find(projection, name)?;
        let input = summary::accept(projection, summary, arguments)?;
        let mut reading = self.read_when_ready(projection).await?;
        let computed = summary::compute(projection, summary, input, max_bytes, &mut reading, self.limits)?;
        let answer = SummaryReading {
            observation: reading.observation.clone(),
            summary_name: summary.name.to_string(),
            summary: computed.value,
            summary_bytes: computed.bytes,
            diagnostics: reading.diagnostics.clone(),
        };
        Ok((answer, reading.into_state()))
    }

    /// Reads again, whenever the page changes, while it is not yet what the projection describes: pages are ready later
    /// than their documents.
    pub(crate) async fn read_when_ready(&self, projection: &Projection) -> Result<Reading, CallError> {
        let now = || self.stage.clock().now();
        let start = now();
        let end = |patience: Millis| (start + Duration::from_millis(patience.0)).min(self.deadline.at());
        let mut looks: usize = 0;
        loop {
            looks += 1;
            let error = match self.read(projection).await {
                Ok(reading) => return Ok(reading),
                Err(error) => error,
            };
            let patience = match &projection.readiness {
                Some(readiness) if error.code == ErrorCode::StateNotReady => readiness.timeout,
                _ => self.limits.state_patience,
            };
            let left = end(patience).saturating_duration_since(now());
            if left.is_zero() || !error.code.is_worth_another_look() {
                let waited_ms = now().saturating_duration_since(start).as_millis() as u64;
                return Err(error.with_evidence("looks", looks).with_evidence("waited_ms", waited_ms));
            }
            let pause = Duration::from_millis(self.limits.retry_pause.0).min(left);
            page_change(self.stage, pause, self.deadline).await?;
        }
    }

    /// Reads the page as it is now, in one round trip.
    pub(crate) async fn read(&self, projection: &Projection) -> Result<Reading, CallError> {
        // Subscribed before the page is read, so that no new document goes unnoticed.
        let events = projection.markers.as_ref().map(|_| self.page().events());
        let url = self.page().url();
        if !projection.applies_to(&url) {
            return Err(projection.out_of_scope(&url));
        }
        if let Some(readiness) = &projection.readiness {
            readiness.look(self.stage, projection, self.deadline).await?;
        }
        let seen =
            extract(self.stage, &projection.extractors, self.deadline).await.map_err(
                |failure| match failure.code {
                    ErrorCode::PayloadTooLarge => {
                        let limit =
                            failure.evidence.get("max").or(failure.evidence.get("max_bytes")).cloned();
                        budget::unworkable(projection, &failure.message, limit.unwrap_or_default())
                    }
                    _ => CallError::from(failure).with_evidence("projection", projection.name.to_string()),
                },
            )?;
        // The document may have made room for another one on the way.
        if !projection.applies_to(&seen.url) {
            return Err(projection.out_of_scope(&seen.url));
        }
        let observed_at = Timestamp::from_unix_millis(self.stage.clock().unix_millis());
        let mut reading = self.project(projection, seen, observed_at)?;
        if let (Some(markers), Some(events)) = (&projection.markers, events) {
            let markers = markers.compute(projection, &reading, self.limits)?;
            let registry = &self.stage.memory().markers;
            registry.register(self.page(), events, projection.name.as_str(), markers.clone());
            reading.markers = Some(markers);
        }
        Ok(reading)
    }

    /// Makes the state of the records and checks it.
    fn project(
        &self,
        projection: &Projection,
        seen: Extracted,
        observed_at: Timestamp,
    ) -> Result<Reading, CallError> {
        let name = &projection.name;
        if projection.fails_on_missing && !seen.missing_required_fields.is_empty() {
            let message = format!(
                "required fields of `{name}` are missing: {}",
                seen.missing_required_fields.iter().take(5).cloned().collect::<Vec<_>>().join(", ")
            );
            return Err(CallError::new(ErrorCode::StateSchemaValidationFailed, message)
                .with_evidence("missing_required_fields", seen.missing_required_fields)
                .with_evidence("selector_counts", Value::Object(seen.selector_counts)));
        }
        let mut scope = json!({ "url": seen.url, "title": seen.title, "projection": { "name": name } });
        scope["records"] = seen.records;
        let budget = Budget { max_bytes: limits::WORKING_STATE_BYTES.0, ..self.limits.budget() };
        if let Some(readiness) = &projection.readiness {
            readiness.judge(projection, &scope, &budget, &seen.selector_counts)?;
        }
        let state = projection.expression.evaluate(&scope, &budget).map_err(|error| {
            if budget::is_too_large(&error) {
                return budget::unworkable(
                    projection,
                    &error.to_string(),
                    json!(limits::WORKING_STATE_BYTES.0),
                );
            }
            let message = format!("the projection `{name}` could not be computed: {error}");
            CallError::new(ErrorCode::StateProjectionFailed, message)
                .with_evidence("expression", projection.expression.source())
                .with_evidence("cause", error.code().as_str())
                .with_evidence("selector_counts", Value::Object(seen.selector_counts.clone()))
        })?;
        let state = state.into_json_or_null();
        let schema_valid = self.check(projection, &state)?;
        let diagnostics = Diagnostics {
            missing_required_fields: seen.missing_required_fields,
            selector_counts: seen.selector_counts,
            schema_valid,
            bytes: bytes(&state),
        };
        let observation = Observation {
            projection: name.to_string(),
            url: seen.url,
            observed_at,
            state_hash: state_hash(&state),
        };
        scope["state"] = state;
        Ok(Reading::new(scope, observation, diagnostics))
    }

    /// Fails with every fault if the state does not fit its schema. Returns `None` without a schema.
    fn check(&self, projection: &Projection, state: &Value) -> Result<Option<bool>, CallError> {
        let Some(schema) = &projection.schema else { return Ok(None) };
        let Err(misfit) = schema.check(state) else { return Ok(Some(true)) };
        let faults = misfit.into_faults();
        let message =
            format!("the state of `{}` does not fit its schema{}", projection.name, faults.sentence());
        let error = faults.evidence(CallError::new(ErrorCode::StateSchemaValidationFailed, message));
        Err(faults.count.into_iter().fold(error, |error, count| error.with_evidence("error_count", count)))
    }
}
