//! Makes the target of a gesture ready: finds it, brings it into view, and has the page listen for the gesture.

use actions_browser::{FrameId, Point};
use actions_protocol::{ErrorCode, limits};
use serde::Deserialize;
use serde_json::{Value, json};

use super::hearing::Hearing;
use super::{Aim, Disabled, Watch};
use crate::Failure;
use crate::locate::Locator;
use crate::matched::Matched;
use crate::matrix::Matrix;
use crate::patience::Patience;
use crate::scene::{FramePath, Scene};

/// An element or a point that is ready for a gesture, and a page that listens for it.
pub(crate) struct Ready<'s> {
    /// The point in the main viewport.
    pub(crate) point: Point,
    /// What the locator matched.
    pub(crate) matched: Matched,
    /// The element, as the page script sums it up.
    pub(crate) target: Value,
    /// Why the element under the point takes no input; known only for a point.
    pub(super) disabled: Option<Disabled>,
    /// The event that ends the gesture.
    pub(super) until: &'static str,
    /// What becomes of the gesture.
    pub(crate) hearing: Hearing<'s>,
    /// What the documents around its frame hear: a gesture that did not reach it.
    pub(super) guards: Vec<Hearing<'s>>,
    /// How the frames on the way lie in each other, from the inside out.
    outward: Vec<Matrix>,
}

impl Ready<'_> {
    /// An element as the page script summed it up, with its box in the main viewport.
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

/// Gets the goal of a gesture ready: one round trip for an element of the main frame.
pub(crate) async fn ready<'s>(
    scene: &Scene<'s>,
    aim: &Aim,
    patience: Patience,
    watch: Watch,
) -> Result<Ready<'s>, Failure> {
    match aim {
        Aim::Locator { locator } => element(scene, locator, patience, watch).await,
        Aim::Point { x, y } => point(scene, Point::new(*x, *y), watch).await,
    }
}

async fn element<'s>(
    scene: &Scene<'s>,
    locator: &Locator,
    patience: Patience,
    watch: Watch,
) -> Result<Ready<'s>, Failure> {
    let path = scene.path(locator.frames(), patience).await?;
    if !watch.far_end {
        reveal(scene, &path).await?;
    }
    let mut hearing = Hearing::new(scene, &path.frame);
    let mut question = watch.args(scene, &hearing.gesture);
    question["locator"] = locator.query().clone();
    question["deadline_ms"] = json!(patience.left_ms(scene));
    question["through_label"] = json!(watch.through_label);
    question["scroll"] = json!(!watch.far_end);
    let prepared: Prepared = hearing.during(scene.read_in(&path.frame, "action.prepare", &question)).await?;
    hearing.ensure(prepared.listening == Some(true)).await?;
    let mut ready = Ready {
        point: prepared.point,
        matched: prepared.matched,
        target: prepared.target,
        disabled: None,
        until: watch.until,
        hearing,
        guards: Vec::new(),
        outward: Vec::new(),
    };
    for link in path.links.iter().rev() {
        let mut guard = (!watch.far_end).then(|| Hearing::guard(scene, &link.parent));
        let mut question = guard.as_ref().map_or(json!({}), |guard| watch.args(scene, &guard.gesture));
        question["locator"] = link.locator.clone();
        question["point"] = json!(ready.point);
        let entering = ready.hearing.during(scene.act_in(&link.parent, "frame.enter", &question));
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

/// Waits until an element could receive a gesture, and brings it into view; no gesture is announced.
pub(crate) async fn approach(scene: &Scene<'_>, aim: &Aim, patience: Patience) -> Result<(), Failure> {
    let Aim::Locator { locator } = aim else { return Ok(()) };
    let path = scene.path(locator.frames(), patience).await?;
    reveal(scene, &path).await?;
    let question = json!({ "locator": locator.query(), "deadline_ms": patience.left_ms(scene) });
    let _: Value = scene.read_in(&path.frame, "action.prepare", &question).await?;
    Ok(())
}

fn covered(occluder: Value) -> Failure {
    let by = occluder["target_label"].as_str().unwrap_or("something else");
    Failure::new(ErrorCode::TargetNotActionable, format!("the frame of the target is covered by `{by}`"))
        .with_evidence("reason", "covered")
        .with_evidence("occluded_by", occluder.clone())
}

/// Brings a point of a frame into view through the frames around it, and refuses when something covers it there.
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

/// Brings every frame on the way into view: what is out of view is not painted and never comes to rest.
pub(crate) async fn reveal(scene: &Scene<'_>, path: &FramePath) -> Result<(), Failure> {
    for link in &path.links {
        let _: Value = scene
            .act_in(&link.parent, "frame.owner", &json!({ "locator": link.locator, "reveal": true }))
            .await?;
    }
    Ok(())
}

/// Follows a point through the frames under it: the innermost document is the one that hears the gesture.
async fn point<'s>(scene: &Scene<'s>, at: Point, watch: Watch) -> Result<Ready<'s>, Failure> {
    let mut frame = scene.page().main_frame();
    let mut inner = at;
    let mut outward = Vec::new();
    for depth in 0..=limits::FRAME_DEPTH {
        let mut hearing = Hearing::new(scene, &frame);
        let mut question = watch.args(scene, &hearing.gesture);
        question["point"] = json!(inner);
        question["enters_frames"] = json!(depth < limits::FRAME_DEPTH);
        let mut met: AtPoint = hearing.during(scene.act_in(&frame, "action.at_point", &question)).await?;
        if met.in_frame {
            if let Some((below, point, matrix)) = frame_under(scene, &frame, inner).await? {
                (frame, inner) = (below, point);
                outward.insert(0, matrix);
                continue;
            }
            // What it shows is no document we know; the document around it hears the gesture.
            question["enters_frames"] = json!(false);
            met = hearing.during(scene.act_in(&frame, "action.at_point", &question)).await?;
        }
        hearing.ensure(met.listening == Some(true)).await?;
        return Ok(Ready {
            point: at,
            matched: Matched::default(),
            target: met.target,
            disabled: met.disabled,
            until: watch.until,
            hearing,
            guards: Vec::new(),
            outward,
        });
    }
    Err(Failure::new(ErrorCode::InternalError, "frames nest without end"))
}

/// The frame under a point of another frame's viewport, and the point in its own.
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
            // It left meanwhile, so it is not under the point.
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
