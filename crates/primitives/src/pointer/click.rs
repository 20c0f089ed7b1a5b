//! `pointer.click`: clicks an element or a point and tells what received the click.

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

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Map<String, Value>, Failure> {
    let (button, name, until) = args.button.parts();
    let modifiers = args.modifiers.held();
    let watch = Watch::until(until, 1);
    let lost = ErrorCode::ClickNotReceived;
    let input = |ready: &Ready<'_>| clicks(ready.point, button, modifiers, 1);
    let (ready, arrived) = gesture(&scene, &args.aim, args.timeout_ms, watch, lost, input).await?;
    let mut output = Map::new();
    output.insert("clicked".to_owned(), json!(true));
    output.insert("x".to_owned(), json!(ready.point.x));
    output.insert("y".to_owned(), json!(ready.point.y));
    output.insert("button".to_owned(), json!(name));
    output.insert("modifiers".to_owned(), told(modifiers));
    output.insert("target".to_owned(), arrived.target);
    matched(&mut output, &ready.facts);
    output.insert("dialog".to_owned(), arrived.dialog);
    Ok(output)
}
