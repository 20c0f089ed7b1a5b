//! Performs the recipe of a marker and returns the place it leads to.

use actions_dictionary::Dictionary;
use actions_protocol::{ErrorCode, Timestamp};
use serde::Serialize;
use serde_json::{Value, json};

use crate::Failure;
use crate::perform::perform as perform_primitive;
use crate::scene::Scene;

/// The present place of a marker.
#[derive(Serialize)]
pub(crate) struct Resolved {
    marker: String,
    #[serde(rename = "type")]
    kind: String,
    pub(crate) location: Option<Value>,
    resolved_at: Timestamp,
}

/// Finds a marker, checks its type if one is wanted, and performs its recipe.
pub(crate) async fn resolve(
    scene: &Scene<'_>,
    id: String,
    wanted: Option<&str>,
) -> Result<Resolved, Failure> {
    let stage = scene.stage;
    let mut registered = stage.memory().markers.of(stage.page());
    let Some(marker) = registered.remove(&id) else {
        let message = format!("no projection of this page has registered the marker `{id}`");
        let known: Vec<String> = registered.into_keys().collect();
        return Err(Failure::new(ErrorCode::MarkerNotFound, message)
            .with_evidence("registered", known)
            .with_evidence("hint", "read the projection that names it, then ask again"));
    };
    if let Some(wanted) = wanted.filter(|wanted| marker.kind != *wanted) {
        let message = format!("the marker `{id}` is for the {}, not for the {wanted}", marker.kind);
        return Err(Failure::new(ErrorCode::MarkerTypeMismatch, message).with_evidence("type", marker.kind));
    }
    let mut location = marker.anchor;
    for (index, step) in marker.recipe.into_iter().enumerate() {
        let failed = |failure: Failure| step_failed(scene, failure, index, &step.primitive);
        let primitive = Dictionary::builtin().get(&step.primitive).ok_or_else(|| {
            failed(Failure::new(ErrorCode::CapabilityUnavailable, "the dictionary has no such primitive"))
        })?;
        let performing = perform_primitive(stage, primitive, Value::Object(step.args), scene.deadline);
        let output = Box::pin(performing).await.map_err(failed)?;
        location = point_in(&output).or(location);
    }
    if wanted.is_some() && location.is_none() {
        let message = format!("the recipe of the marker `{id}` ran, but returned no place");
        return Err(Failure::new(ErrorCode::MarkerPromiseUnkept, message));
    }
    let resolved_at = Timestamp::from_unix_millis(stage.clock().unix_millis());
    Ok(Resolved { marker: id, kind: marker.kind, location, resolved_at })
}

/// The failure of one step of a recipe.
pub(crate) fn step_failed(scene: &Scene<'_>, failure: Failure, index: usize, primitive: &str) -> Failure {
    // An error that ends every primitive keeps its own code: the marker is not to blame.
    if scene.primitive.may_give(failure.code) && failure.code != ErrorCode::InvalidInput {
        return failure;
    }
    let message = format!("step {index} of the recipe, `{primitive}`, failed: {}", failure.message);
    Failure::new(ErrorCode::MarkerRecipeStepFailed, message)
        .with_evidence("step_index", index)
        .with_evidence("primitive", primitive)
        .with_evidence("cause", json!({ "code": failure.code, "evidence": failure.evidence }))
}

/// The tested point in an output: where an element can be clicked, or where the pointer went.
fn point_in(output: &Value) -> Option<Value> {
    let point = output.get("clickable_center").filter(|point| point.is_object()).unwrap_or(output);
    match (&point["x"], &point["y"]) {
        (Value::Number(x), Value::Number(y)) => Some(json!({ "x": x, "y": y })),
        _ => None,
    }
}
