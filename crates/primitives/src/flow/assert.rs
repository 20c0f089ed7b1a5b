//! `flow.assert`: fails unless a condition holds.

use actions_protocol::ErrorCode;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Failure;
use crate::scene::Scene;

#[derive(Deserialize)]
pub(crate) struct Args {
    #[serde(default)]
    condition: Value,
    message: String,
}

#[derive(Serialize)]
pub(crate) struct Output {
    holds: bool,
}

pub(crate) async fn perform(_: Scene<'_>, args: Args) -> Result<Output, Failure> {
    match holds(&args.condition) {
        true => Ok(Output { holds: true }),
        false => Err(Failure::new(ErrorCode::AssertionFailed, args.message)),
    }
}

/// Whether a value is true by the rules of `when`.
fn holds(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(value) => *value,
        Value::Number(number) => number.as_f64().is_some_and(|number| number != 0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(_) | Value::Object(_) => true,
    }
}
