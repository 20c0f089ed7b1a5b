//! `debug.run_javascript`: runs the body of a function in the page's own world.

use std::time::Duration;

use actions_protocol::ErrorCode;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::Failure;
use crate::scene::Scene;

#[derive(Deserialize)]
pub(crate) struct Args {
    source: String,
    #[serde(default)]
    args: Map<String, Value>,
    max_payload_bytes: usize,
    timeout_ms: u64,
}

#[derive(Serialize)]
pub(crate) struct Output {
    result: Value,
    url: String,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    // The only place that builds source code from arguments, because `source` is declared to be code. JSON is valid
    // JavaScript, so `args` cannot break out of the call.
    let deadline = scene.deadline.at_most(&*scene.stage.clock(), Duration::from_millis(args.timeout_ms));
    let call = format!("(async (args) => {{\n{}\n}})({})", args.source, Value::Object(args.args));
    let result = scene.page().evaluate(&call, deadline).await?;
    let bytes = result.to_string().len();
    if bytes > args.max_payload_bytes {
        let message = format!("the result has {bytes} bytes; {} are allowed", args.max_payload_bytes);
        return Err(Failure::new(ErrorCode::PayloadTooLarge, message)
            .with_evidence("bytes", bytes)
            .with_evidence("hint", "return less, or raise `max_payload_bytes`"));
    }
    Ok(Output { result, url: scene.page().url() })
}
