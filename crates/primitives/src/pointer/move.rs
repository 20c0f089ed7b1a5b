//! `pointer.move`: brings the pointer over an element or a point.

use actions_browser::{Input, Modifiers};
use actions_protocol::ErrorCode;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::matched;
use crate::Failure;
use crate::gesture::{Aim, Ready, Watch, gesture};
use crate::scene::Scene;

#[derive(Deserialize)]
pub(crate) struct Args {
    #[serde(flatten)]
    aim: Aim,
    timeout_ms: u64,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Map<String, Value>, Failure> {
    let watch = Watch::until("mousemove", 0);
    let lost = ErrorCode::InputNotReceived;
    let input = |ready: &Ready<'_>| vec![Input::MouseMove { to: ready.point, modifiers: Modifiers::NONE }];
    let (ready, arrived) = gesture(&scene, &args.aim, args.timeout_ms, watch, lost, input).await?;
    let mut output = Map::new();
    output.insert("x".to_owned(), json!(ready.point.x));
    output.insert("y".to_owned(), json!(ready.point.y));
    output.insert("target".to_owned(), arrived.target);
    matched(&mut output, &ready.facts);
    Ok(output)
}
