//! `pointer.wheel`: turns the wheel over an element or a point, and reports what that scrolled.

use actions_browser::{FrameId, Input, Point};
use actions_protocol::ErrorCode;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::Failure;
use crate::dialog::ShownDialog;
use crate::gesture::{Aim, Ready, Watch, gesture};
use crate::matched::Matched;
use crate::modifiers::{ModifierNames, names};
use crate::scene::Scene;

#[derive(Deserialize)]
pub(crate) struct Args {
    #[serde(flatten)]
    aim: Aim,
    delta_x: f64,
    delta_y: f64,
    #[serde(default)]
    modifiers: ModifierNames,
    timeout_ms: u64,
}

#[derive(Serialize)]
pub(crate) struct Output {
    wheeled: bool,
    #[serde(flatten)]
    at: Point,
    modifiers: Vec<&'static str>,
    target: Value,
    #[serde(flatten)]
    matched: Matched,
    #[serde(skip_serializing_if = "Option::is_none")]
    moving: Option<bool>,
    scrolled: bool,
    handled: bool,
    #[serde(skip_serializing_if = "Value::is_null")]
    scroll: Value,
    dialog: Option<ShownDialog>,
}

/// What a turn of the wheel did in one document.
#[derive(Default, Deserialize)]
struct Effect {
    /// Whether a listener of the page prevented the scrolling.
    handled: bool,
    /// The container that moved, and how far; null if none did.
    scroll: Value,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let modifiers = args.modifiers.held();
    let watch = Watch { to_disabled: true, blocks: false, ..Watch::until("wheel", 0) };
    let lost = ErrorCode::InputNotReceived;
    let input = |ready: &Ready<'_>| {
        let (at, delta_x, delta_y) = (ready.point, args.delta_x, args.delta_y);
        vec![Input::MouseMove { to: at, modifiers }, Input::Wheel { at, delta_x, delta_y, modifiers }]
    };
    let (ready, arrived) = gesture(&scene, &args.aim, args.timeout_ms, watch, lost, input).await?;
    let effect = match arrived.dialog {
        // The page answers nothing while the dialog is open.
        Some(_) => Effect::default(),
        None => effect(&scene, ready.pending.frame(), &args).await?,
    };
    Ok(Output {
        wheeled: true,
        at: ready.point,
        modifiers: names(modifiers),
        target: arrived.target,
        matched: ready.matched,
        moving: ready.moving,
        scrolled: !effect.scroll.is_null(),
        handled: effect.handled,
        scroll: effect.scroll,
        dialog: arrived.dialog,
    })
}

/// What the wheel scrolled. At the end of what a frame shows, it scrolls the document around the frame.
async fn effect(scene: &Scene<'_>, frame: &FrameId, args: &Args) -> Result<Effect, Failure> {
    let question = json!({ "delta_x": args.delta_x, "delta_y": args.delta_y });
    let frames = scene.page().frames();
    let mut at = Some(frame.clone());
    while let Some(frame) = at {
        let effect: Effect = match scene.finish_in(&frame, "pointer.wheel", &question).await {
            // A listener of the page made it load another document.
            Err(failure) if scene.has_replaced_document(&failure).await => return Ok(Effect::default()),
            other => other?,
        };
        if effect.handled || !effect.scroll.is_null() {
            return Ok(effect);
        }
        at = frames.iter().find(|known| known.id == frame).and_then(|known| known.parent.clone());
    }
    Ok(Effect::default())
}
