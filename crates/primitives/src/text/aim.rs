//! Prepares a field for text: finds it, focuses it and places the caret.

use actions_browser::FrameId;
use actions_protocol::limits;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::Failure;
use crate::acted_on::ActedOn;
use crate::locate::Locator;
use crate::patience::Patience;
use crate::scene::Scene;

/// A field that has the focus, with the caret in place.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) frame: FrameId,
    pub(super) aimed: Aimed,
}

#[derive(Debug, Deserialize)]
pub(super) struct Aimed {
    pub(super) token: u64,
    pub(super) tag_name: String,
    pub(super) target_kind: String,
    pub(super) editing: Option<String>,
    /// The field that was filled, if the target is its label or the component around it.
    pub(super) acted_on: Option<ActedOn>,
}

impl Aimed {
    /// Whether the field was named by a locator, and is not just what has the focus.
    pub(super) fn is_located(&self) -> bool {
        self.target_kind == "locator"
    }
}

/// Finds the field, focuses it and places the caret. With `keys`, it may be an element that takes keys without being a text
/// field. Costs one round trip in the main frame.
pub(super) async fn aim(
    scene: &Scene<'_>,
    target: Option<&TextTarget>,
    mode: &str,
    patience: Patience,
    keys: bool,
) -> Result<Field, Failure> {
    let (frame, mut args) = target_frame(scene, target, patience).await?;
    args["mode"] = json!(mode);
    args["keys"] = json!(keys);
    args["deadline_ms"] = json!(patience.left_ms(scene));
    let aimed = scene.act_in(&frame, "text.aim", &args).await?;
    Ok(Field { frame, aimed })
}

/// Finds the frame of a target, or the frame that has the focus without a target. Returns it with the arguments that name
/// the target to the page script.
pub(crate) async fn target_frame(
    scene: &Scene<'_>,
    target: Option<&TextTarget>,
    patience: Patience,
) -> Result<(FrameId, Value), Failure> {
    match target {
        Some(TextTarget(locator)) => {
            let frame = scene.path(locator.frames(), patience).await?.frame;
            Ok((frame, json!({ "locator": locator.query() })))
        }
        None => Ok((focused_frame(scene).await?, json!({}))),
    }
}

/// The element that receives the text: a locator, a locator under the key `locator`, or a CSS selector.
#[derive(Debug, Deserialize)]
#[serde(from = "Value")]
pub(crate) struct TextTarget(Locator);

impl From<Value> for TextTarget {
    fn from(mut written: Value) -> Self {
        match written.get_mut("locator") {
            Some(locator) => Self(locator.take().into()),
            None => Self(written.into()),
        }
    }
}

/// Finds the frame that has the focus. While a frame element is focused, the focus is inside its frame.
async fn focused_frame(scene: &Scene<'_>) -> Result<FrameId, Failure> {
    #[derive(Deserialize)]
    struct Focused {
        is_frame: bool,
    }
    let mut frame = scene.page().main_frame();
    for _ in 0..limits::FRAME_DEPTH {
        let focused: Focused = scene.read_in(&frame, "dom.focused", &json!({})).await?;
        if !focused.is_frame {
            return Ok(frame);
        }
        let inner = json!({ "focused": true });
        match scene.frame_shown_by(&frame, &inner).await? {
            Some(inner) => frame = inner,
            None => return Ok(frame),
        }
    }
    Ok(frame)
}
