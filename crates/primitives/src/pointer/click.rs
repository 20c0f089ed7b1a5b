//! `pointer.click`: clicks an element or a point and returns what received the click.

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
    button: Button,
    #[serde(default)]
    modifiers: ModifierNames,
    timeout_ms: u64,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Button {
    Left,
    Middle,
    Right,
}

impl Button {
    /// The driver's button, its name, and the event that ends a click of it.
    fn parts(self) -> (MouseButton, &'static str, &'static str) {
        match self {
            Button::Left => (MouseButton::Left, "left", "click"),
            Button::Middle => (MouseButton::Middle, "middle", "auxclick"),
            Button::Right => (MouseButton::Right, "right", "contextmenu"),
        }
    }
}

#[derive(Serialize)]
pub(crate) struct Output {
    clicked: bool,
    #[serde(flatten)]
    at: Point,
    button: &'static str,
    modifiers: Vec<&'static str>,
    target: Value,
    #[serde(flatten)]
    matched: Matched,
    #[serde(skip_serializing_if = "Option::is_none")]
    moving: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ended_on: Option<String>,
    dialog: Option<ShownDialog>,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let (button, name, until) = args.button.parts();
    let modifiers = args.modifiers.held();
    let watch = Watch::until(until, 1);
    let lost = ErrorCode::ClickNotReceived;
    let input = |ready: &Ready<'_>| clicks(ready.point, button, modifiers, 1);
    let (ready, arrived) = gesture(&scene, &args.aim, args.timeout_ms, watch, lost, input).await?;
    Ok(Output {
        clicked: true,
        at: ready.point,
        button: name,
        modifiers: names(modifiers),
        target: arrived.target,
        matched: ready.matched,
        moving: ready.moving,
        ended_on: arrived.ended_on,
        dialog: arrived.dialog,
    })
}
