//! `pointer.drag`: presses on one end, moves, and releases on the other.

use actions_browser::{Drag, DragKind, Point};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::Failure;
use crate::gesture::{Aim, Ready, Watch, ready};
use crate::modifiers::ModifierNames;
use crate::scene::Scene;

#[derive(Deserialize)]
pub(crate) struct Args {
    from: Value,
    to: Value,
    steps: u32,
    #[serde(default)]
    modifiers: ModifierNames,
    timeout_ms: u64,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Map<String, Value>, Failure> {
    let watch = Watch { until: "mousemove", releases: 0 };
    let to = ready(&scene, &end(&args.to), args.timeout_ms, watch).await?;
    let from = ready(&scene, &end(&args.from), args.timeout_ms, watch).await?;
    // Making one end ready may have scrolled the other away.
    let to = again(&scene, &args.to, to).await?;
    let drag = Drag { path: path(from.point, to.point, args.steps), modifiers: args.modifiers.held() };
    let kind = scene.page().drag(&drag, scene.deadline).await?;
    let mut output = Map::new();
    output.insert("dragged".to_owned(), json!(true));
    output.insert("from".to_owned(), json!(from.point));
    output.insert("to".to_owned(), json!(to.point));
    output.insert("steps".to_owned(), json!(args.steps));
    output.insert(
        "kind".to_owned(),
        json!(match kind {
            DragKind::Pointer => "pointer",
            DragKind::DragAndDrop => "drag_and_drop",
        }),
    );
    output.insert("from_target".to_owned(), from.facts.get("target").cloned().unwrap_or_default());
    output.insert("to_target".to_owned(), to.facts.get("target").cloned().unwrap_or_default());
    output.insert("fidelity".to_owned(), json!("trusted"));
    let dialog = scene.page().dialog().map(|dialog| crate::dialog::told(&dialog));
    output.insert("dialog".to_owned(), dialog.unwrap_or_default());
    Ok(output)
}

/// One end: a point, a locator, or a locator under its key.
fn end(end: &Value) -> Aim {
    match (end["x"].as_f64(), end["y"].as_f64(), end.get("locator")) {
        (Some(x), Some(y), _) => Aim::Point { x, y },
        (_, _, Some(locator)) => Aim::Locator { locator: locator.clone() },
        _ => Aim::Locator { locator: end.clone() },
    }
}

/// Looks at the far end once more without scrolling it: it must still be where it was aimed at.
async fn again(scene: &Scene<'_>, to: &Value, before: Ready) -> Result<Ready, Failure> {
    match end(to) {
        Aim::Point { .. } => Ok(before),
        aim @ Aim::Locator { .. } => ready(scene, &aim, 0, Watch { until: "mousemove", releases: 0 }).await,
    }
}

/// Points on the way, evenly spaced, both ends included.
fn path(from: Point, to: Point, steps: u32) -> Vec<Point> {
    let steps = steps.max(1);
    let at = |step: u32| {
        let part = f64::from(step) / f64::from(steps);
        Point::new(from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part)
    };
    (0..=steps).map(at).collect()
}
