//! `form.set_checked`: checks or unchecks a control with a click and reads its state back.

use actions_browser::{FrameId, Modifiers, MouseButton};
use actions_protocol::ErrorCode;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::Failure;
use crate::gesture::{Aim, Ready, Watch, clicks, gesture};
use crate::locate::Locator;
use crate::matched::Matched;
use crate::patience::Patience;
use crate::scene::Scene;

#[derive(Deserialize)]
pub(crate) struct Args {
    locator: Locator,
    checked: bool,
    timeout_ms: u64,
}

#[derive(Deserialize)]
struct Seen {
    checked: Option<bool>,
    token: u64,
    /// Whether it belongs to a group, such as radio buttons, that always has one checked member.
    #[serde(default)]
    exclusive: bool,
    #[serde(flatten)]
    matched: Matched,
    matched_by: Option<String>,
}

#[derive(Serialize)]
pub(crate) struct Output {
    checked: bool,
    changed: bool,
    #[serde(flatten)]
    matched: Matched,
    #[serde(skip_serializing_if = "Option::is_none")]
    matched_by: Option<String>,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let patience = Patience::of(&scene, args.timeout_ms);
    let path = scene.path(args.locator.frames(), patience).await?;
    let question = json!({ "locator": args.locator.query() });
    let before: Seen = scene.read_when_there(&path.frame, "form.checked", &question, patience).await?;
    let changed = before.checked != Some(args.checked);
    if changed {
        if !args.checked && before.exclusive {
            return Err(Failure::new(
                ErrorCode::TargetNotActionable,
                "its group always has one checked member; check another member instead",
            )
            .with_evidence("reason", "exclusive"));
        }
        let aim = Aim::Locator { locator: args.locator.clone() };
        let watch = Watch { through_label: true, ..Watch::until("click", 1) };
        let lost = ErrorCode::InputNotReceived;
        let input = |ready: &Ready<'_>| clicks(ready.point, MouseButton::Left, Modifiers::NONE, 1);
        gesture(&scene, &aim, args.timeout_ms, watch, lost, input).await?;
        let seen = read_again(&scene, &path.frame, question, before.token).await?;
        if seen.checked != Some(args.checked) {
            return Err(Failure::new(
                ErrorCode::InputNotReceived,
                "the control was clicked, but the page undid the change",
            )
            .with_evidence("checked", json!(seen.checked)));
        }
    }
    let Seen { matched, matched_by, .. } = before;
    Ok(Output { checked: args.checked, changed, matched, matched_by })
}

/// Reads the clicked control again, by token: after the click its locator may match another element or none.
async fn read_again(
    scene: &Scene<'_>,
    frame: &FrameId,
    mut question: Value,
    token: u64,
) -> Result<Seen, Failure> {
    question["token"] = json!(token);
    scene.read_in(frame, "form.checked", &question).await.map_err(|failure| match failure.code {
        ErrorCode::TargetNotFound => {
            Failure::new(ErrorCode::TargetDetached, "the control was clicked and then left the document")
        }
        _ => failure,
    })
}
