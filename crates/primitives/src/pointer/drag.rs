//! `pointer.drag`: presses on one target, moves, and releases on another.

use std::time::Duration;

use actions_browser::{Drag, DragKind, Error, Point};
use actions_protocol::ErrorCode;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Failure;
use crate::dialog::{ShownDialog, open_dialog};
use crate::gesture::{Aim, Astray, Confirmation, Ready, Via, Watch, approach, ready};
use crate::modifiers::ModifierNames;
use crate::patience::Patience;
use crate::scene::Scene;

#[derive(Deserialize)]
pub(crate) struct Args {
    from: End,
    to: End,
    steps: u32,
    points: Option<Points>,
    move_delay_ms: u64,
    #[serde(default)]
    modifiers: ModifierNames,
    timeout_ms: u64,
}

/// The movements between the ends.
#[derive(Deserialize)]
#[serde(untagged)]
enum Points {
    /// Their number.
    Count(u32),
    /// The points to pass.
    Passed(Vec<Point>),
}

#[derive(Serialize)]
pub(crate) struct Output {
    dragged: bool,
    from: Point,
    to: Point,
    steps: u32,
    kind: &'static str,
    from_target: Value,
    to_target: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    released_on: Option<Value>,
    fidelity: &'static str,
    dialog: Option<ShownDialog>,
}

/// The press begins the gesture. The page script stops a press that goes to another element.
const PRESS: Watch = Watch::until("pointerdown", 1);
/// A drop or a release ends the gesture.
const RELEASE: Watch = Watch { far_end: true, ..Watch::until("release", 1) };
/// How long a confirmation may take after the browser has acknowledged the input.
const ECHO: Duration = Duration::from_millis(750);

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let patience = Patience::of(&scene, args.timeout_ms);
    loop {
        match attempt(&scene, &args, patience).await {
            Err(astray) if astray.prevented && !patience.left(&scene).is_zero() => {}
            other => return other.map_err(|astray| astray.failure),
        }
    }
}

async fn attempt(scene: &Scene<'_>, args: &Args, patience: Patience) -> Result<Output, Astray> {
    // Scrolling to the start may scroll the end out of view, so the end is prepared again without scrolling.
    approach(scene, &args.to.0, patience).await?;
    let mut from = ready(scene, &args.from.0, patience, PRESS).await?;
    let mut to = from.pending.during(ready(scene, &args.to.0, Patience::of(scene, 0), RELEASE)).await?;
    let drag = Drag {
        path: path(from.point, to.point, args),
        modifiers: args.modifiers.held(),
        pause: Duration::from_millis(args.move_delay_ms),
        handled_in: Some(to.pending.frame().clone()),
    };
    let movements = drag.path.len() - 1;
    let dragging = scene.page().drag(&drag, scene.deadline);
    let dragged = from.pending.during(to.pending.during(dragging)).await;
    let press = confirmed(&mut from).await?.ok_or_else(|| unconfirmed("press"))?;
    if !press.received {
        return Err(press.astray(ErrorCode::InputNotReceived, &from));
    }
    let release = confirmed(&mut to).await?;
    let dropped = release.as_ref().is_some_and(|release| release.has_received("drop"));
    let kind = match dragged {
        Ok(kind) => kind,
        // A handler of the page opened a dialog at the end of the drag.
        Err(Error::DialogOpen(_)) if dropped => DragKind::DragAndDrop,
        Err(Error::DialogOpen(_)) if release.as_ref().is_some_and(|release| release.received) => {
            DragKind::Pointer
        }
        Err(error) => return Err(Failure::from(error).into()),
    };
    let release = match (kind, release) {
        (DragKind::DragAndDrop, Some(release)) if dropped => release,
        (DragKind::DragAndDrop, _) => return Err(refused(&to).into()),
        (DragKind::Pointer, Some(release)) if release.received => release,
        (DragKind::Pointer, Some(release)) => return Err(release.astray(ErrorCode::InputNotReceived, &to)),
        (DragKind::Pointer, None) => return Err(unconfirmed("release").into()),
    };
    let (to_target, released_on) = received(release, &to);
    Ok(Output {
        dragged: true,
        from: from.point,
        to: to.point,
        steps: movements as u32,
        kind: word(kind),
        from_target: from.in_main_viewport(press.target),
        to_target,
        released_on,
        fidelity: "trusted",
        dialog: open_dialog(scene.page()),
    })
}

async fn confirmed(end: &mut Ready<'_>) -> Result<Option<Confirmation>, Failure> {
    end.pending.within(ECHO).await.transpose()
}

fn unconfirmed(what: &str) -> Failure {
    let message = format!("the drag was sent, but the page did not confirm its {what}");
    Failure::new(ErrorCode::InputNotReceived, message)
}

fn refused(to: &Ready<'_>) -> Failure {
    Failure::new(
        ErrorCode::InputNotReceived,
        "the browser ended the drag without a drop: no element there accepts it",
    )
    .with_evidence("reason", "drop_refused")
    .with_evidence("target", to.target.clone())
}

fn word(kind: DragKind) -> &'static str {
    match kind {
        DragKind::Pointer => "pointer",
        DragKind::DragAndDrop => "drag_and_drop",
    }
}

/// The element at the end of the drag, and the element on top of it if that one received the release.
fn received(release: Confirmation, to: &Ready<'_>) -> (Value, Option<Value>) {
    let released_on = to.in_main_viewport(release.target);
    match release.seen.via {
        Some(Via::Beneath) => (to.in_main_viewport(to.target.clone()), Some(released_on)),
        _ => (released_on, None),
    }
}

/// One end of a drag: a point, a locator, or a locator under the key `locator`.
#[derive(Deserialize)]
#[serde(from = "Value")]
struct End(Aim);

impl From<Value> for End {
    fn from(mut end: Value) -> Self {
        if let (Some(x), Some(y)) = (end["x"].as_f64(), end["y"].as_f64()) {
            return Self(Aim::Point { x, y });
        }
        let offset = end.get_mut("offset").map(Value::take);
        let offset = offset.and_then(|offset| Some(Point::new(offset["x"].as_f64()?, offset["y"].as_f64()?)));
        let locator = end.get_mut("locator").map(Value::take).unwrap_or(end);
        Self(Aim::Locator { locator: locator.into(), offset })
    }
}

/// Points on the way, both ends included: evenly spaced between the ends, and on each leg if the map names points to pass.
fn path(from: Point, to: Point, args: &Args) -> Vec<Point> {
    let (passed, steps) = match &args.points {
        Some(Points::Passed(points)) => (points.as_slice(), args.steps),
        Some(Points::Count(count)) => (&[][..], *count),
        None => (&[][..], args.steps),
    };
    let stops: Vec<Point> = [from].into_iter().chain(passed.iter().copied()).chain([to]).collect();
    let steps = (steps / (stops.len() as u32 - 1)).max(1);
    let leg = |ends: &[Point]| -> Vec<Point> {
        let (start, end) = (ends[0], ends[1]);
        let at = |step: u32| {
            let part = f64::from(step) / f64::from(steps);
            Point::new(start.x + (end.x - start.x) * part, start.y + (end.y - start.y) * part)
        };
        (1..=steps).map(at).collect()
    };
    [from].into_iter().chain(stops.windows(2).flat_map(leg)).collect()
}
