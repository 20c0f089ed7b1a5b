//! `pointer.double_click`: double-clicks an element or a point and returns what received the clicks.

use actions_browser::{MouseButton, Point};
use actions_protocol::ErrorCode;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Failure;
use crate::dialog::ShownDialog;
use crate::gesture::{Aim, Ready, Watch, clicks, gesture};
use crate::matched::Matched;
use crate::modifiers::{ModifierNames, names};
use crate::scene::Scene;

#[derive(Deserialize)]
pub(crate) struct Args {
    #[serde(flatten)]
    aim: Aim,
    #[serde(default)]
    modifiers: ModifierNames,
    timeout_ms: u64,
}

#[derive(Serialize)]
pub(crate) struct Output {
    double_clicked: bool,
    #[serde(flatten)]
    at: Point,
    modifiers: Vec<&'static str>,
    target: Value,
    #[serde(flatten)]
    matched: Matched,
    #[serde(skip_serializing_if = "Option::is_none")]
    moving: Option<bool>,
    dialog: Option<ShownDialog>,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let modifiers = args.modifiers.held();
    let watch = Watch::until("dblclick", 2);
    let lost = ErrorCode::ClickNotReceived;
    let input = |ready: &Ready<'_>| clicks(ready.point, MouseButton::Left, modifiers, 2);
    let (ready, arrived) = gesture(&scene, &args.aim, args.timeout_ms, watch, lost, input).await?;
    Ok(Output {
        double_clicked: true,
        at: ready.point,
        modifiers: names(modifiers),
        target: arrived.target,
        matched: ready.matched,
        moving: ready.moving,
        dialog: arrived.dialog,
    })
}
