//! `pointer.move`: moves the pointer over an element or to a point.

use std::time::Duration;

use actions_browser::{Input, Modifiers, Point};
use actions_protocol::ErrorCode;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Failure;
use crate::gesture::{Aim, Ready, Watch, gesture};
use crate::matched::Matched;
use crate::scene::Scene;

#[derive(Deserialize)]
pub(crate) struct Args {
    #[serde(flatten)]
    aim: Aim,
    timeout_ms: u64,
    #[serde(default)]
    dwell_ms: u64,
}

impl Args {
    /// Moves to this target.
    pub(crate) fn new(aim: Aim, timeout_ms: u64) -> Self {
        Self { aim, timeout_ms, dwell_ms: 0 }
    }
}

#[derive(Serialize)]
pub(crate) struct Output {
    #[serde(flatten)]
    at: Point,
    target: Value,
    #[serde(flatten)]
    matched: Matched,
    #[serde(skip_serializing_if = "Option::is_none")]
    moving: Option<bool>,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let watch = Watch { to_disabled: true, ..Watch::until("mousemove", 0) };
    let lost = ErrorCode::InputNotReceived;
    let input = |ready: &Ready<'_>| vec![Input::MouseMove { to: ready.point, modifiers: Modifiers::NONE }];
    let (ready, arrived) = gesture(&scene, &args.aim, args.timeout_ms, watch, lost, input).await?;
    if args.dwell_ms > 0 {
        let clock = scene.stage.clock();
        let dwell = Duration::from_millis(args.dwell_ms).min(scene.left_for_the_page());
        clock.sleep_until(clock.now() + dwell).await;
    }
    Ok(Output { at: ready.point, target: arrived.target, matched: ready.matched, moving: ready.moving })
}
