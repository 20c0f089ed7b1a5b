//! A gesture of the pointer on an element: made ready, mapped through frames, sent, and confirmed to have arrived.

use std::time::Duration;

use actions_browser::{FrameId, Input, Modifiers, MouseButton, Point};
use actions_protocol::ErrorCode;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::Failure;
use crate::scene::{FramePath, Scene};

/// What ends a gesture, as the page script hears it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watch {
    /// The last event.
    pub(crate) until: &'static str,
    /// How often the button is released before it.
    pub(crate) releases: u8,
}

/// Where a gesture goes.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Aim {
    /// To an element.
    Locator { locator: Value },
    /// To a point of the viewport.
    Point { x: f64, y: f64 },
}

/// An element or point that is ready for a gesture.
#[derive(Debug)]
pub(crate) struct Ready {
    /// The point in the main viewport.
    pub(crate) point: Point,
    /// What the page script said of it.
    pub(crate) facts: Map<String, Value>,
    frame: FrameId,
    token: Option<u64>,
    guards: Vec<(FrameId, u64)>,
}

/// What became of a gesture.
#[derive(Debug)]
pub(crate) struct Arrived {
    /// What received it.
    pub(crate) target: Value,
    /// The dialog it opened.
    pub(crate) dialog: Value,
}

#[derive(Deserialize)]
struct Prepared {
    point: Point,
    token: Option<u64>,
    #[serde(flatten)]
    facts: Map<String, Value>,
}

#[derive(Deserialize)]
struct Entered {
    enters: bool,
    point: Point,
    token: Option<u64>,
    occluded_by: Value,
}

#[derive(Deserialize)]
struct Confirmation {
    received: bool,
    target: Value,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// How long after the page has taken the input its last event may take to be heard.
const ECHO: Duration = Duration::from_millis(750);

/// Gets the goal of a gesture ready: one round trip for an element of the main frame.
pub(crate) async fn ready(
    scene: &Scene<'_>,
    aim: &Aim,
    timeout_ms: u64,
    watch: Watch,
) -> Result<Ready, Failure> {
    match aim {
        Aim::Locator { locator } => element(scene, locator, timeout_ms, watch).await,
        Aim::Point { x, y } => point(scene, Point::new(*x, *y), watch).await,
    }
}

async fn element(
    scene: &Scene<'_>,
    locator: &Value,
    timeout_ms: u64,
    watch: Watch,
) -> Result<Ready, Failure> {
    let (path, args) = scene.aim(&json!({ "locator": locator })).await?;
    reveal(scene, &path).await?;
    let args = json!({
        "locator": args["locator"],
        "deadline_ms": patience(scene, timeout_ms),
        "until": watch.until,
        "releases": watch.releases,
        "gesture_timeout_ms": patience(scene, 60_000),
    });
    let prepared: Prepared = scene.read_in(&path.frame, "action.prepare", &args).await?;
    let mut ready = Ready {
        point: prepared.point,
        facts: prepared.facts,
        frame: path.frame.clone(),
        token: prepared.token,
        guards: Vec::new(),
    };
    for link in path.links.iter().rev() {
        let args = json!({
            "locator": link.locator,
            "point": ready.point,
            "until": watch.until,
            "releases": watch.releases,
            "gesture_timeout_ms": patience(scene, 60_000),
        });
        let entered: Entered = scene.act_in(&link.parent, "frame.enter", &args).await?;
        if !entered.enters {
            let by = entered.occluded_by["target_label"].as_str().unwrap_or("something else").to_owned();
            return Err(Failure::new(
                ErrorCode::TargetNotActionable,
                format!("the frame of the target is covered by `{by}`"),
            )
            .with_evidence("reason", "covered")
            .with_evidence("occluded_by", entered.occluded_by));
        }
        ready.point = entered.point;
        ready.guards.extend(entered.token.map(|token| (link.parent.clone(), token)));
    }
    Ok(ready)
}

/// Brings every frame on the way into view: what is out of view is not painted and never comes to rest.
async fn reveal(scene: &Scene<'_>, path: &FramePath) -> Result<(), Failure> {
    for link in &path.links {
        let _: Value = scene
            .act_in(&link.parent, "frame.owner", &json!({ "locator": link.locator, "reveal": true }))
            .await?;
    }
    Ok(())
}

async fn point(scene: &Scene<'_>, point: Point, watch: Watch) -> Result<Ready, Failure> {
    #[derive(Deserialize)]
    struct AtPoint {
        target: Value,
        token: Option<u64>,
    }
    let frame = scene.page().main_frame();
    let args = json!({
        "point": point,
        "until": watch.until,
        "releases": watch.releases,
        "gesture_timeout_ms": patience(scene, 60_000),
    });
    let met: AtPoint = scene.act_in(&frame, "action.at_point", &args).await?;
    let mut facts = Map::new();
    facts.insert("target".to_owned(), met.target);
    Ok(Ready { point, facts, frame, token: met.token, guards: Vec::new() })
}

fn patience(scene: &Scene<'_>, timeout_ms: u64) -> u64 {
    timeout_ms.min(u64::try_from(scene.left().as_millis()).unwrap_or(u64::MAX))
}

/// Sends the input and waits until the page was heard to deliver its last event to the goal.
pub(crate) async fn send(
    scene: &Scene<'_>,
    ready: &Ready,
    input: &[Input],
    lost: ErrorCode,
) -> Result<Arrived, Failure> {
    let page = scene.page();
    let Some(token) = ready.token else {
        // A frame under a bare point hears the gesture in a document of its own.
        page.input(input, scene.deadline).await?;
        return Ok(Arrived {
            target: ready.facts.get("target").cloned().unwrap_or_default(),
            dialog: Value::Null,
        });
    };
    let question = json!({ "token": token });
    let confirm = scene.act_in::<Confirmation>(&ready.frame, "action.confirm", &question);
    tokio::pin!(confirm);
    let mut confirmed = None;
    // The page must be listening before the input is sent, or what the input causes overtakes the answer.
    let nothing = json!({});
    let listening = scene.act_in::<Value>(&ready.frame, "page.info", &nothing);
    tokio::pin!(listening);
    loop {
        tokio::select! {
            biased;
            answer = &mut confirm, if confirmed.is_none() => confirmed = Some(answer),
            heard = &mut listening => {
                heard?;
                break;
            }
        }
    }
    let sent = {
        let send = page.input(input, scene.deadline);
        tokio::pin!(send);
        loop {
            tokio::select! {
                biased;
                answer = &mut confirm, if confirmed.is_none() => confirmed = Some(answer),
                sent = &mut send => break sent,
            }
        }
    };
    let confirmed = match confirmed {
        Some(answer) => Some(answer),
        None => tokio::select! {
            answer = &mut confirm => Some(answer),
            () = scene.stage.clock().sleep_until(scene.stage.clock().now() + ECHO) => None,
        },
    };
    let dialog = page.dialog().map(|dialog| crate::dialog::told(&dialog)).unwrap_or_default();
    match (confirmed, sent) {
        (Some(Ok(confirmation)), _) if confirmation.received => {
            Ok(Arrived { target: confirmation.target, dialog })
        }
        (Some(Ok(confirmation)), _) => Err(astray(lost, confirmation)),
        (Some(Err(failure)), _) if failure.code != ErrorCode::TargetDetached => Err(failure),
        (_, Err(error)) => Err(error.into()),
        (Some(Err(failure)), Ok(())) => Err(failure),
        (None, Ok(())) => Err(unheard(scene, ready, lost).await),
    }
}

fn astray(lost: ErrorCode, confirmation: Confirmation) -> Failure {
    let by = confirmation
        .rest
        .get("received_by")
        .and_then(|by| by["target_label"].as_str())
        .unwrap_or("something else");
    let message = match confirmation.rest.get("target_connected") {
        Some(Value::Bool(false)) => "the target left the document before the input reached it".to_owned(),
        _ => format!("the input went to `{by}`, not to the target"),
    };
    let mut failure = Failure::new(lost, message);
    failure.evidence = confirmation.rest;
    failure
}

/// No end of the gesture was heard; perhaps a document around the frame heard it instead.
async fn unheard(scene: &Scene<'_>, ready: &Ready, lost: ErrorCode) -> Failure {
    for (frame, token) in &ready.guards {
        let question = json!({ "token": token });
        let heard = scene.act_in::<Confirmation>(frame, "action.confirm", &question);
        let moment = scene.stage.clock().now() + Duration::from_millis(50);
        tokio::select! {
            Ok(confirmation) = heard => return astray(lost, confirmation),
            () = scene.stage.clock().sleep_until(moment) => {}
        }
    }
    Failure::new(lost, "the input was sent, but the target was not heard to receive it")
}

/// The events of `count` clicks at a point.
pub(crate) fn clicks(at: Point, button: MouseButton, modifiers: Modifiers, count: u8) -> Vec<Input> {
    let mut input = vec![Input::MouseMove { to: at, modifiers }];
    for click_count in 1..=count {
        input.push(Input::MouseDown { at, button, click_count, modifiers });
        input.push(Input::MouseUp { at, button, click_count, modifiers });
    }
    input
}
