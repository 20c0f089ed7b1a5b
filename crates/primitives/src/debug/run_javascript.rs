//! `debug.run_javascript`: runs the body of a function in the page's own world.

use actions_protocol::ErrorCode;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::Failure;
use crate::scene::Scene;

#[derive(Deserialize)]
pub(crate) struct Args {
    source: String,
    #[serde(default)]
    args: Map<String, Value>,
    max_payload_bytes: usize,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Map<String, Value>, Failure> {
    // The one place where text becomes code, and it is code by its own declaration. JSON is JavaScript, so the
    // arguments cannot end the call they stand in.
    let call = format!("(async (args) => {{\n{}\n}})({})", args.source, Value::Object(args.args));
    let result = scene.page().evaluate(&call, scene.deadline).await?;
    let bytes = result.to_string().len();
    if bytes > args.max_payload_bytes {
        let message = format!("the result has {bytes} bytes; {} are allowed", args.max_payload_bytes);
        return Err(Failure::new(ErrorCode::PayloadTooLarge, message).with_evidence("bytes", bytes));
    }
    let mut output = Map::new();
    output.insert("result".to_owned(), result);
    output.insert("url".to_owned(), json!(scene.page().url()));
    Ok(output)
}
