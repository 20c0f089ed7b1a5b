//! Prepares the target of a gesture: finds it, scrolls it into view, and makes the page listen for the gesture.

use actions_browser::{FrameId, Point};
use actions_protocol::{ErrorCode, limits};
use serde::Deserialize;
use serde_json::{Value, json};

use super::pending_confirmation::PendingConfirmation;
use super::{Aim, Disabled, Watch};
use crate::Failure;
use crate::frame_path::FramePath;
use crate::locate::Locator;
use crate::matched::Matched;
use crate::matrix::Matrix;
use crate::patience::Patience;
use crate::scene::Scene;

/// A prepared target: an element or point whose document listens for the gesture.
pub(crate) struct Ready<'s> {
    /// The point in the main viewport.
    pub(crate) point: Point,
    /// What the locator matched.
    pub(crate) matched: Matched,
    /// A description of the element by the page script.
    pub(crate) target: Value,
    /// Whether the element was still moving, as one that is animated without end.
    pub(crate) moving: Option<bool>,
    /// Why the element under the point accepts no input. Always absent when a locator names the target.
    pub(super) disabled: Option<Disabled>,
    /// The event that ends the gesture.
    pub(super) until: &'static str,
    /// The confirmation from the frame of the target.
    pub(crate) pending: PendingConfirmation<'s>,
    /// Confirmations from the frames around it, which receive a gesture that misses the frame.
    pub(super) guards: Vec<PendingConfirmation<'s>>,
    /// The transforms from each frame to the one around it, innermost first.
    outward: Vec<Matrix>,
}

impl Ready<'_> {
    /// Converts the box in the description of an element to the main viewport.
    pub(crate) fn in_main_viewport(&self, mut element: Value) -> Value {
        for matrix in &self.outward {
            if let Some(mapped) = matrix.around(&element["bounding_box"]) {
                element["bounding_box"] = mapped;
            }
        }
        element
    }
}

#[derive(Deserialize)]
struct Prepared {
    point: Point,
    listening: Option<bool>,
    #[serde(default)]
    target: Value,
    stable: bool,
    #[serde(flatten)]
    matched: Matched,
}

#[derive(Deserialize)]
struct Entered {
    enters: bool,
    point: Point,
    matrix: Matrix,
    listening: Option<bool>,
    occluded_by: Value,
}

#[derive(Deserialize)]
struct AtPoint {
    target: Value,
    disabled: Option<Disabled>,
    in_frame: bool,
    listening: Option<bool>,
}

/// Prepares the target of a gesture. Costs one round trip for an element of the main frame.
pub(crate) async fn ready<'s>(
    scene: &Scene<'s>,
    aim: &Aim,
    patience: Patience,
    watch: Watch,
) -> Result<Ready<'s>, Failure> {
    match aim {
        Aim::Locator { locator, offset } => element(scene, locator, *offset, patience, watch).await,
        Aim::Point { x, y } => point(scene, Point::new(*x, *y), watch).await,
    }
}

async fn element<'s>(
    scene: &Scene<'s>,
    locator: &Locator,
    offset: Option<Point>,
    patience: Patience,
    watch: Watch,
) -> Result<Ready<'s>, Failure> {
    let path = scene.path(locator.frames(), patience).await?;
    if !watch.far_end {
        reveal(scene, &path).await?;
    }
    let mut pending = watch.pending(scene, &path.frame);
    let mut question = watch.args(scene, &pending.gesture);
    question["locator"] = locator.query().clone();
    if let Some(offset) = offset {
        question["offset"] = json!(offset);
    }
    question["deadline_ms"] = json!(patience.left_ms(scene));
    question["through_label"] = json!(watch.through_label);
    question["scroll"] = json!(!watch.far_end);
    question["require_enabled"] = json!(!watch.to_disabled);
    let prepared: Prepared = pending.during(scene.read_in(&path.frame, "action.prepare", &question)).await?;
    pending.ensure(prepared.listening == Some(true)).await?;
    let mut ready = Ready {
        point: prepared.point,
        matched: prepared.matched,
        target: prepared.target,
        moving: (!prepared.stable).then_some(true),
        disabled: None,
        until: watch.until,
        pending,
        guards: Vec::new(),
        outward: Vec::new(),
    };
    for link in path.links.iter().rev() {
        let mut guard = (!watch.far_end).then(|| PendingConfirmation::guard(scene, &link.parent));
        let mut question = guard.as_ref().map_or(json!({}), |guard| watch.args(scene, &guard.gesture));
        question["locator"] = link.locator.clone();
        question["point"] = json!(ready.point);
        let entering = ready.pending.during(scene.act_in(&link.parent, "frame.enter", &question));
        let entered: Entered = match &mut guard {
            Some(guard) => guard.during(entering).await?,
            None => entering.await?,
        };
        if !entered.enters {
            return Err(covered(entered.occluded_by));
        }
        ready.point = entered.point;
        ready.outward.push(entered.matrix);
        if let Some(mut guard) = guard {
            guard.ensure(entered.listening == Some(true)).await?;
            ready.guards.push(guard);
        }
    }
    Ok(ready)
}

/// Waits until an element could receive a gesture, and scrolls it into view. Does not make the page listen for one.
pub(crate) async fn approach(scene: &Scene<'_>, aim: &Aim, patience: Patience) -> Result<(), Failure> {
    let Aim::Locator { locator, offset } = aim else { return Ok(()) };
    let path = scene.path(locator.frames(), patience).await?;
    reveal(scene, &path).await?;
    let mut question = json!({ "locator": locator.query(), "deadline_ms": patience.left_ms(scene) });
    if let Some(offset) = offset {
        question["offset"] = json!(offset);
    }
    let _: Value = scene.read_in(&path.frame, "action.prepare", &question).await?;
    Ok(())
}

fn covered(occluder: Value) -> Failure {
    let by = occluder["target_label"].as_str().unwrap_or("another element");
    Failure::new(ErrorCode::TargetNotActionable, format!("the frame of the target is covered by `{by}`"))
        .with_evidence("reason", "covered")
        .with_evidence("occluded_by", occluder.clone())
}

/// Scrolls a point of a frame into view in the frames around it. Fails if another element covers it there.
pub(crate) async fn enter(scene: &Scene<'_>, path: &FramePath, mut point: Point) -> Result<(), Failure> {
    for link in path.links.iter().rev() {
        let question = json!({ "locator": link.locator, "point": point });
        let entered: Entered = scene.act_in(&link.parent, "frame.enter", &question).await?;
        if !entered.enters {
            return Err(covered(entered.occluded_by));
        }
        point = entered.point;
    }
    Ok(())
}

/// Scrolls every frame of a path into view and waits for its first paint. The browser does not render frames out of
/// view, so their elements never become stable, and it sends no input to a frame that is not painted.
pub(crate) async fn reveal(scene: &Scene<'_>, path: &FramePath) -> Result<(), Failure> {
    for link in &path.links {
        let _: Value = scene
            .act_in(&link.parent, "frame.owner", &json!({ "locator": link.locator, "reveal": true }))
            .await?;
    }
    Ok(scene.page().wait_for_paint(&path.frame, scene.deadline).await?)
}

/// Prepares a point. Follows it into the frames under it, because the innermost document receives the gesture.
async fn point<'s>(scene: &Scene<'s>, at: Point, watch: Watch) -> Result<Ready<'s>, Failure> {
    let mut frame = scene.page().main_frame();
    let mut inner = at;
    let mut outward = Vec::new();
    for depth in 0..=limits::FRAME_DEPTH {
        let mut pending = watch.pending(scene, &frame);
        let mut question = watch.args(scene, &pending.gesture);
        question["point"] = json!(inner);
        question["enters_frames"] = json!(depth < limits::FRAME_DEPTH);
        let mut met: AtPoint = pending.during(scene.act_in(&frame, "action.at_point", &question)).await?;
        if met.in_frame {
            if let Some((below, point, matrix)) = frame_under(scene, &frame, inner).await? {
                (frame, inner) = (below, point);
                outward.insert(0, matrix);
                continue;
            }
            // The frame shows no document that the driver knows, so the document around it listens.
            question["enters_frames"] = json!(false);
            met = pending.during(scene.act_in(&frame, "action.at_point", &question)).await?;
        }
        pending.ensure(met.listening == Some(true)).await?;
        return Ok(Ready {
            point: at,
            matched: Matched::default(),
            target: met.target,
            moving: None,
            disabled: met.disabled,
            until: watch.until,
            pending,
            guards: Vec::new(),
            outward,
        });
    }
    Err(Failure::new(ErrorCode::CapabilityUnavailable, "the frames are nested too deeply"))
}

/// Finds the frame under a point of another frame's viewport, and converts the point to its own viewport.
async fn frame_under(
    scene: &Scene<'_>,
    frame: &FrameId,
    point: Point,
) -> Result<Option<(FrameId, Point, Matrix)>, Failure> {
    #[derive(Deserialize)]
    struct Under {
        point: Option<Point>,
        matrix: Option<Matrix>,
    }
    let page = scene.page();
    let below = page.frames().into_iter().filter(|known| known.parent.as_ref() == Some(frame));
    for known in below.collect::<Vec<_>>() {
        let element = match page.frame_element(&known.id, scene.deadline).await {
            Ok(element) => element,
            // The frame was removed meanwhile, so it is not under the point.
            Err(actions_browser::Error::FrameDetached { .. }) => continue,
            Err(error) => return Err(error.into()),
        };
        let nodes = [element];
        let question = json!({ "point": point });
        let call = actions_browser::Call::new(frame, "frame.under", &question).with_nodes(&nodes);
        let under: Result<Under, _> = page.call(call, scene.deadline).await;
        page.release(&nodes);
        if let Under { point: Some(inner), matrix: Some(matrix) } = under? {
            return Ok(Some((known.id, inner, matrix)));
        }
    }
    Ok(None)
}
