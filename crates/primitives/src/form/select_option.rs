//! `form.select_option`: chooses options of a select element and reads the choice back.

use actions_browser::Point;
use actions_protocol::ErrorCode;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::Failure;
use crate::begun::Ended;
use crate::frame_path::FramePath;
use crate::gesture::{enter, reveal};
use crate::locate::Locator;
use crate::matched::Located;
use crate::patience::Patience;
use crate::scene::Scene;

#[derive(Deserialize)]
pub(crate) struct Args {
    locator: Locator,
    #[serde(flatten)]
    wanted: Wanted,
    timeout_ms: u64,
}

/// The options to choose. Exactly one field is present.
#[derive(Deserialize, Serialize)]
struct Wanted {
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    labels: Option<Vec<String>>,
}

#[derive(Deserialize, Serialize)]
pub(crate) struct Output {
    selected: Vec<SelectedOption>,
    changed: bool,
    #[serde(flatten)]
    located: Located,
}

/// An option that is chosen.
#[derive(Deserialize, Serialize)]
struct SelectedOption {
    value: String,
    label: String,
    index: u64,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let patience = Patience::of(&scene, args.timeout_ms);
    let path = scene.path(args.locator.frames(), patience).await?;
    if !path.links.is_empty() {
        pass_frames(&scene, &args.locator, &path, patience).await?;
    }
    let mut question = json!(args.wanted);
    question["locator"] = args.locator.query().clone();
    question["deadline_ms"] = json!(patience.left_ms(&scene));
    match scene.finish_noted(&path.frame, "form.select_option", &question).await? {
        Ended::Answered(output) => Ok(output),
        Ended::Left(selected) => serde_json::from_value(selected)
            .map_err(|error| Failure::new(ErrorCode::InternalError, error.to_string())),
    }
}

/// Fails if an element covers the select element in a document around its frame. The script inside the frame cannot see
/// that.
async fn pass_frames(
    scene: &Scene<'_>,
    locator: &Locator,
    path: &FramePath,
    patience: Patience,
) -> Result<(), Failure> {
    #[derive(Deserialize)]
    struct Prepared {
        point: Point,
    }
    reveal(scene, path).await?;
    let question = json!({ "locator": locator.query(), "deadline_ms": patience.left_ms(scene) });
    let prepared: Prepared = scene.act_in(&path.frame, "action.prepare", &question).await?;
    enter(scene, path, prepared.point).await
}
