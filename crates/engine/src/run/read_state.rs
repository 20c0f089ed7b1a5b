//! Performs `state.read`: takes a projection of the map, or a summary of it, from the page of the call.

use actions_dictionary::Primitive;
use actions_primitives::{Failure, complete};
use actions_protocol::{ByteLimit, ErrorCode};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Run;
use super::nested::flattened;

/// The arguments of `state.read`.
#[derive(Deserialize)]
struct Asked {
    projection: String,
    summary: Option<String>,
    arguments: Option<Value>,
    max_bytes: Option<usize>,
}

impl Run<'_> {
    /// Reads a projection that the map of the running tool declares.
    pub(super) async fn read_state(&self, primitive: &Primitive, args: Value) -> Result<Value, Failure> {
        let asked: Asked = serde_json::from_value(complete(primitive, args)?)
            .map_err(|error| Failure::new(ErrorCode::InvalidInput, error.to_string()))?;
        let projection = self.plans.projection(&self.plan.sibling(&asked.projection)).map_err(flattened)?;
        let (reader, max_bytes) = (self.reader(), asked.max_bytes.map(ByteLimit));
        let Some(summary) = &asked.summary else {
            let reading = reader.state(&projection, max_bytes).await.map_err(flattened)?;
            return written(&reading);
        };
        let arguments = asked.arguments.unwrap_or_else(|| json!({}));
        let reading = reader.summary(&projection, summary, &arguments, max_bytes).await;
        written(&reading.map_err(flattened)?.0)
    }
}

fn written(reading: &impl Serialize) -> Result<Value, Failure> {
    serde_json::to_value(reading).map_err(|error| {
        Failure::new(
            ErrorCode::InternalError,
            format!("the output of `state.read` cannot be written: {error}"),
        )
    })
}
