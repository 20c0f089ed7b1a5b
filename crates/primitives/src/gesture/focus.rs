use actions_protocol::{ErrorCode, limits};
use serde::Deserialize;
use serde_json::json;

use super::hearing::Hearing;
use crate::Failure;
use crate::patience::Patience;
use crate::scene::Scene;

/// The frame element that holds the focus.
const FOCUSED: &str = "iframe:focus, frame:focus";
#[derive(Deserialize)]
struct AtFocus {
    in_frame: bool,
    listening: Option<bool>,
}

/// Listens for a key in the document that holds the focus: one round trip when that is the main frame's.
pub(crate) async fn listen_at_focus<'s>(scene: &Scene<'s>, key: &str) -> Result<Hearing<'s>, Failure> {
    let mut frame = scene.page().main_frame();
    for depth in 0..=limits::FRAME_DEPTH {
        let mut hearing = Hearing::new(scene, &frame);
        let question = json!({
            "gesture": hearing.gesture,
            "until": "keydown",
            "key": key,
            "guard": false,
            "enters_frames": depth < limits::FRAME_DEPTH,
            "gesture_timeout_ms": Patience::of_call(scene).left_ms(scene),
        });
        let met: AtFocus = hearing.during(scene.act_in(&frame, "action.at_focus", &question)).await?;
        let inner = match met.in_frame {
            true => scene.frame_shown_by(&frame, &json!({ "selector": FOCUSED })).await?,
            false => None,
        };
        match inner {
            Some(inner) => frame = inner,
            None => {
                hearing.ensure(met.listening == Some(true)).await?;
                return Ok(hearing);
            }
        }
    }
    Err(Failure::new(ErrorCode::InternalError, "frames nest without end"))
}
