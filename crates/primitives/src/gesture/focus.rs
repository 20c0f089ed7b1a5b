//! Waits for a key in the document that has the focus.

use actions_protocol::{ErrorCode, limits};
use serde::Deserialize;
use serde_json::json;

use super::pending_confirmation::PendingConfirmation;
use crate::Failure;
use crate::patience::Patience;
use crate::scene::Scene;

#[derive(Deserialize)]
struct AtFocus {
    in_frame: bool,
    listening: Option<bool>,
}

/// Makes the document that has the focus listen for a key. Costs one round trip if that is the main document.
pub(crate) async fn listen_at_focus<'s>(
    scene: &Scene<'s>,
    key: &str,
) -> Result<PendingConfirmation<'s>, Failure> {
    let mut frame = scene.page().main_frame();
    for depth in 0..=limits::FRAME_DEPTH {
        let mut pending = PendingConfirmation::new(scene, &frame);
        let question = json!({
            "gesture": pending.gesture,
            "until": "keydown",
            "key": key,
            "guard": false,
            "enters_frames": depth < limits::FRAME_DEPTH,
            "gesture_timeout_ms": Patience::of_call(scene).left_ms(scene),
        });
        let met: AtFocus = pending.during(scene.act_in(&frame, "action.at_focus", &question)).await?;
        let inner = match met.in_frame {
            true => scene.frame_shown_by(&frame, &json!({ "focused": true })).await?,
            false => None,
        };
        match inner {
            Some(inner) => frame = inner,
            None => {
                pending.ensure(met.listening == Some(true)).await?;
                return Ok(pending);
            }
        }
    }
    Err(Failure::new(ErrorCode::CapabilityUnavailable, "the frames are nested too deeply"))
}
