//! `locator.element_info`: finds an element and returns what it is, where it is and where it can be clicked.

use serde_json::{Value, json};

use crate::Failure;
use crate::gesture::{enter, reveal};
use crate::outward::outward;
use crate::patience::Patience;
use crate::scene::Scene;

/// Reads an element of the main frame in one round trip. For an element in a frame, also scrolls and tests the documents
/// around the frame, and converts every position to the main viewport.
pub(crate) async fn perform(scene: Scene<'_>, args: Value) -> Result<Value, Failure> {
    let (path, question) = scene.aim(&args, Patience::of(&scene, 0)).await?;
    let scrolls = args["auto_scroll"].as_bool().unwrap_or(true);
    let mut initial = Value::Null;
    if !path.links.is_empty() && scrolls {
        initial = {
            let mut still = question.clone();
            still["auto_scroll"] = json!(false);
            let mut seen: Value = scene.read_in(&path.frame, FUNCTION, &still).await?;
            outward(&scene, &path, &mut seen).await?;
            seen["visibility"].take()
        };
        reveal(&scene, &path).await?;
    }
    let mut output: Value = scene.read_in(&path.frame, FUNCTION, &question).await?;
    if let (Value::Object(_), Ok(point)) =
        (&initial, serde_json::from_value(output["clickable_center"].clone()))
    {
        enter(&scene, &path, point).await?;
    }
    outward(&scene, &path, &mut output).await?;
    if initial.is_object() {
        output["scrolled"] = json!(output["scrolled"] == true || initial != output["visibility"]);
        output["initial_visibility"] = initial;
    }
    output["locator"] = args["locator"].clone();
    Ok(output)
}

const FUNCTION: &str = "locator.element_info";
