//! `pointer.double_click`: two clicks in one place.

use actions_browser::MouseButton;
use actions_protocol::ErrorCode;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::matched;
use crate::Failure;
use crate::gesture::{Aim, Ready, Watch, clicks, gesture};
use crate::modifiers::{ModifierNames, told};
use crate::scene::Scene;

#[derive(Deserialize)]
pub(crate) struct Args {
    #[serde(flatten)]
    aim: Aim,
    #[serde(default)]
    modifiers: ModifierNames,
    timeout_ms: u64,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Map<String, Value>, Failure> {
    let modifiers = args.modifiers.held();
    let watch = Watch::until("dblclick", 2);
    let lost = ErrorCode::ClickNotReceived;
    let input = |ready: &Ready<'_>| clicks(ready.point, MouseButton::Left, modifiers, 2);
    let (ready, arrived) = gesture(&scene, &args.aim, args.timeout_ms, watch, lost, input).await?;
    let mut output = Map::new();
    output.insert("double_clicked".to_owned(), json!(true));
    output.insert("x".to_owned(), json!(ready.point.x));
    output.insert("y".to_owned(), json!(ready.point.y));
    output.insert("modifiers".to_owned(), told(modifiers));
    output.insert("target".to_owned(), arrived.target);
    matched(&mut output, &ready.facts);
    output.insert("dialog".to_owned(), arrived.dialog);
    Ok(output)
}
