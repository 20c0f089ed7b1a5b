//! What may be handed over. A payload over its budget is refused, never cut short.

use actions_expr::EvaluateError;
use actions_protocol::{ByteLimit, ErrorCode};
use serde_json::{Value, json};

use super::projection::Projection;
use super::reading::Reading;
use super::summary;
use crate::failure::CallError;
use crate::limits::Limits;

/// The budget of a payload: what the caller wishes, or else the default; never more than the map declares.
pub(crate) fn limit(default: ByteLimit, declared: Option<ByteLimit>, wished: Option<ByteLimit>) -> ByteLimit {
    wished.unwrap_or(default).cap(declared)
}

/// The refusal of a payload, with the summaries of the same state that would fit.
pub(super) fn too_large(
    what: &str,
    bytes: usize,
    limit: ByteLimit,
    projection: &Projection,
    reading: &mut Reading,
    limits: &Limits,
) -> CallError {
    let available: Vec<Value> = projection
        .summaries
        .iter()
        .filter_map(|one| match summary::accept(projection, one, &json!({})) {
            Ok(input) => {
                let summary = summary::compute(projection, one, input, None, reading, limits).ok()?;
                Some(json!({ "name": one.name, "bytes": summary.bytes }))
            }
            // Only the caller knows the arguments.
            Err(_) => Some(json!({ "name": one.name, "needs_arguments": true })),
        })
        .collect();
    let message = format!("{what} of `{}` has {bytes} bytes; {} are allowed", projection.name, limit.0);
    CallError::new(ErrorCode::StatePayloadTooLarge, message)
        .with_evidence("projection", projection.name.to_string())
        .with_evidence("bytes", bytes)
        .with_evidence("limit", limit.0)
        .with_evidence("available_summaries", available)
}

/// The refusal of a state that is too large to work with at all.
pub(super) fn unworkable(projection: &Projection, detail: &str, evidence: Value) -> CallError {
    let message = format!("the state of `{}` is too large to be computed: {detail}", projection.name);
    CallError::new(ErrorCode::StatePayloadTooLarge, message)
        .with_evidence("projection", projection.name.to_string())
        .with_evidence("limit", evidence)
        .with_evidence("available_summaries", Vec::<Value>::new())
}

/// Whether an expression was refused for the size of what it gives.
pub(super) fn is_too_large(error: &EvaluateError) -> bool {
    matches!(error, EvaluateError::TooLarge { .. })
}
