//! `locator.element_info`: finds an element and returns what it is, where it is and where it can be clicked.

use actions_protocol::ErrorCode;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::Failure;
use crate::frame_path::FramePath;
use crate::gesture::{enter, reveal};
use crate::locate::Locator;
use crate::matched::Located;
use crate::outward::outward;
use crate::patience::Patience;
use crate::scene::Scene;

const FUNCTION: &str = "locator.element_info";

#[derive(Deserialize)]
pub(crate) struct Args {
    locator: Locator,
    auto_scroll: bool,
    max_candidates: u32,
}

#[derive(Serialize)]
pub(crate) struct Output {
    locator: Locator,
    #[serde(flatten)]
    element: Element,
}

/// An element as the page script describes it. Boxes, points and facts stay as they are.
#[derive(Deserialize, Serialize)]
struct Element {
    tag_name: String,
    role: Option<String>,
    name: String,
    text: String,
    bounding_box: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    clickable_center: Option<Value>,
    clickable: bool,
    visibility: Value,
    initial_visibility: Value,
    scrolled: bool,
    stable: bool,
    #[serde(flatten)]
    located: Located,
    candidates: Vec<Value>,
}

/// Reads an element of the main frame in one round trip. For an element in a frame, also scrolls and tests the documents
/// around the frame, and converts every position to the main viewport.
pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let path = scene.path(args.locator.frames(), Patience::of(&scene, 0)).await?;
    let question = |scrolls: bool| {
        json!({
            "locator": args.locator.query(),
            "auto_scroll": scrolls,
            "max_candidates": args.max_candidates,
        })
    };
    let mut initial = None;
    if !path.links.is_empty() && args.auto_scroll {
        let mut seen: Value = scene.read_in(&path.frame, FUNCTION, &question(false)).await?;
        outward(&scene, &path, &mut seen).await?;
        initial = Some(seen["visibility"].take());
        reveal(&scene, &path).await?;
    }
    let mut seen: Value = scene.read_in(&path.frame, FUNCTION, &question(args.auto_scroll)).await?;
    if initial.is_some() {
        enter_at_center(&scene, &path, &seen).await?;
    }
    outward(&scene, &path, &mut seen).await?;
    let mut element: Element = serde_json::from_value(seen)
        .map_err(|error| Failure::new(ErrorCode::InternalError, format!("`{FUNCTION}`: {error}")))?;
    if let Some(initial) = initial {
        element.scrolled |= initial != element.visibility;
        element.initial_visibility = initial;
    }
    Ok(Output { locator: args.locator, element })
}

/// Tests in the documents around the frame that a click at the element's point reaches it.
async fn enter_at_center(scene: &Scene<'_>, path: &FramePath, seen: &Value) -> Result<(), Failure> {
    match serde_json::from_value(seen["clickable_center"].clone()) {
        Ok(point) => enter(scene, path, point).await,
        // The element cannot be clicked anywhere.
        Err(_) => Ok(()),
    }
}
