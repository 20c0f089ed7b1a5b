//! `actions schema`: prints the JSON Schema of actions.json.

use actions_manifest::json_schema;
use actions_protocol::Exit;

use crate::output::json_text;

/// Prints the JSON Schema of actions.json.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  actions schema > actions.schema.json")]
pub(crate) struct Arguments {}

pub(crate) fn run(_: Arguments) -> Exit {
    json_text(&serde_json::to_string_pretty(&json_schema()).expect("plain data serialises"));
    Exit::Done
}
