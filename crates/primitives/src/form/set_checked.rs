//! `form.set_checked`: checks or unchecks a control with a click and reads its state back.

use actions_browser::{FrameId, Modifiers, MouseButton};
use actions_protocol::ErrorCode;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::Failure;
use crate::gesture::{Aim, Ready, Watch, clicks, gesture};
use crate::locate::Locator;
use crate::matched::Located;
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
    /// Whether it has the wanted state and kept it while the page reacted.
    #[serde(default)]
    holds: bool,
    /// Whether it was an item of a popup that closed when it was chosen.
    #[serde(default)]
    left: bool,
    #[serde(flatten)]
    located: Located,
}

#[derive(Serialize)]
pub(crate) struct Output {
    checked: bool,
    changed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    confirmed_by: Option<ConfirmedBy>,
    #[serde(flatten)]
    located: Located,
}

/// How a state was confirmed that could not be read.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum ConfirmedBy {
    /// The control received the click.
    Events,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let patience = Patience::of(&scene, args.timeout_ms);
    let path = scene.path(args.locator.frames(), patience).await?;
    let question = json!({ "locator": args.locator.query() });
    let before: Seen = scene.read_when_there(&path.frame, "form.checked", &question, patience).await?;
    let changed = before.checked != Some(args.checked);
    let mut confirmed_by = None;
    if changed {
        if !args.checked && before.exclusive {
            return Err(Failure::new(
                ErrorCode::TargetNotActionable,
                "its group always has one checked member; check another member instead",
            )
            .with_evidence("reason", "exclusive"));
        }
        let aim = Aim::Locator { locator: args.locator.clone(), offset: None };
        let watch = Watch { through_label: true, ..Watch::until("click", 1) };
        let lost = ErrorCode::InputNotReceived;
        let input = |ready: &Ready<'_>| clicks(ready.point, MouseButton::Left, Modifiers::NONE, 1);
        gesture(&scene, &aim, args.timeout_ms, watch, lost, input).await?;
        confirmed_by = confirm(&scene, &path.frame, &args, before.token, patience).await?;
    }
    Ok(Output { checked: args.checked, changed, confirmed_by, located: before.located })
}

/// Waits until the clicked control has the wanted state and keeps it. It is read by token, because after the click its
/// locator may match another element or none. An item of a popup that closes when it is chosen has received the click.
async fn confirm(
    scene: &Scene<'_>,
    frame: &FrameId,
    args: &Args,
    token: u64,
    patience: Patience,
) -> Result<Option<ConfirmedBy>, Failure> {
    let question = json!({
        "locator": args.locator.query(),
        "token": token,
        "wanted": args.checked,
        "deadline_ms": patience.left_ms(scene),
    });
    match scene.read_in::<Seen>(frame, "form.checked", &question).await {
        Ok(seen) if seen.left => Ok(Some(ConfirmedBy::Events)),
        Ok(seen) if seen.holds => Ok(None),
        Ok(seen) => Err(Failure::new(
            ErrorCode::InputNotReceived,
            "the control was clicked, but the page did not keep the change",
        )
        .with_evidence("checked", json!(seen.checked))),
        // The control received the click, and the page loaded another document because of it.
        Err(failure) if scene.has_replaced_document(&failure).await => Ok(None),
        Err(failure) if failure.code == ErrorCode::TargetNotFound => {
            Err(Failure::new(ErrorCode::TargetDetached, "the control was clicked and then left the document"))
        }
        Err(failure) => Err(failure),
    }
}
