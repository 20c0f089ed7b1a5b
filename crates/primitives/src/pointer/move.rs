//! `pointer.move`: brings the pointer over an element or a point.

use actions_browser::{Input, Modifiers};
use actions_protocol::ErrorCode;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::matched;
use crate::Failure;
use crate::gesture::{Aim, Watch, ready, send};
use crate::scene::Scene;

#[derive(Deserialize)]
pub(crate) struct Args {
    #[serde(flatten)]
    aim: Aim,
    timeout_ms: u64,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Map<String, Value>, Failure> {
    let ready = ready(&scene, &args.aim, args.timeout_ms, Watch { until: "mousemove", releases: 0 }).await?;
    let input = [Input::MouseMove { to: ready.point, modifiers: Modifiers::NONE }];
    let arrived = send(&scene, &ready, &input, ErrorCode::InputNotReceived).await?;
    let mut output = Map::new();
    output.insert("x".to_owned(), json!(ready.point.x));
    output.insert("y".to_owned(), json!(ready.point.y));
    output.insert("target".to_owned(), arrived.target);
    matched(&mut output, &ready.facts);
    Ok(output)
}
