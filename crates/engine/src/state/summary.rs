//! Smaller views of a state.

use actions_expr::Budget;
use actions_protocol::limits::WORKING_STATE_BYTES;
use actions_protocol::{ByteLimit, ErrorCode, SafeName};
use serde_json::{Value, json};

use super::budget;
use super::diff::bytes;
use super::projection::Projection;
use super::reading::Reading;
use crate::failure::{CallError, Place};
use crate::limits::Limits;
use crate::plan::Input;
use crate::secret;

/// The summary that is meant when none is named.
pub(crate) const DEFAULT_SUMMARY: &str = "agent_context";

/// A summary that is ready to be computed.
#[derive(Debug)]
pub(crate) struct Summary {
    pub(crate) name: SafeName,
    /// Where it stands in its map.
    pub(super) place: Place,
    pub(crate) input: Option<Input>,
    pub(super) expression: actions_expr::Expression,
    pub(super) max_bytes: Option<ByteLimit>,
}

/// The value of a summary and its size.
pub(super) struct Computed {
    pub(super) value: Value,
    pub(super) bytes: usize,
}

/// Finds a summary by name.
pub(super) fn find<'p>(projection: &'p Projection, name: &str) -> Result<&'p Summary, CallError> {
    projection.summaries.iter().find(|summary| summary.name.as_str() == name).ok_or_else(|| {
        let names: Vec<String> =
            projection.summaries.iter().map(|summary| summary.name.to_string()).collect();
        let message = format!("the projection `{}` has no summary `{name}`", projection.name);
        CallError::new(ErrorCode::StateSummaryNotFound, message)
            .with_evidence("projection", projection.name.to_string())
            .with_evidence("summaries", names)
    })
}

/// Checks the arguments of a summary; one without an input schema takes none.
pub(super) fn accept(
    projection: &Projection,
    summary: &Summary,
    arguments: &Value,
) -> Result<Value, CallError> {
    let accepted = match &summary.input {
        Some(input) => input.accept(arguments.clone()),
        None if arguments.as_object().is_none_or(|members| members.is_empty()) => Ok(json!({})),
        None => {
            let message =
                format!("the summary `{}` of `{}` takes no arguments", summary.name, projection.name);
            Err(CallError::new(ErrorCode::InvalidInput, message))
        }
    };
    accepted.map_err(|error| error.at(&summary.place))
}

/// Computes a summary of a state that has been read, from input that [`accept`] returned. A payload over the budget is `state_payload_too_large`.
pub(super) fn compute(
    projection: &Projection,
    summary: &Summary,
    input: Value,
    wished: Option<ByteLimit>,
    reading: &mut Reading,
    limits: &Limits,
) -> Result<Computed, CallError> {
    let limit = budget::limit(limits.summary_bytes, summary.max_bytes, wished);
    let budget = Budget { max_bytes: WORKING_STATE_BYTES.0, ..limits.budget() };
    let secrets = summary.input.as_ref().map(|declared| secret::of_input(declared.schema(), &input));
    let value = reading.with_input(input, |scope| {
        summary.expression.evaluate(scope, &budget).map_err(|error| match &secrets {
            Some(secrets) if secret::are_read_by(secrets, &summary.expression, scope) => {
                error.without_values()
            }
            _ => error,
        })
    });
    let value = value.map_err(|error| {
        let message =
            format!("the summary `{}` of `{}` could not be computed: {error}", summary.name, projection.name);
        CallError::new(ErrorCode::StateSummaryFailed, message)
            .with_evidence("expression", summary.expression.source())
            .with_evidence("cause", error.code().as_str())
    })?;
    let value = value.into_json_or_null();
    let bytes = bytes(&value);
    if limit.allows(bytes) {
        return Ok(Computed { value, bytes });
    }
    let message = format!(
        "the summary `{}` of `{}` has {bytes} bytes; {} are allowed",
        summary.name, projection.name, limit.0
    );
    Err(CallError::new(ErrorCode::StatePayloadTooLarge, message)
        .with_evidence("projection", projection.name.to_string())
        .with_evidence("summary", summary.name.to_string())
        .with_evidence("bytes", bytes)
        .with_evidence("limit", limit.0))
}
