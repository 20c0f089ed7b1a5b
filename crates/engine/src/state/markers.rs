//! Places in the page that a projection names, and how to get there.

use std::collections::HashSet;

use actions_dictionary::Dictionary;
use actions_expr::{Budget, Expression, Template};
use actions_manifest::model;
use actions_primitives::{Marker, RecipeStep};
use actions_protocol::{ErrorCode, SafeName};
use serde_json::{Map, Value, json};

use super::projection::Projection;
use super::reading::Reading;
use crate::failure::CallError;
use crate::limits::Limits;

/// The most markers of one projection.
const MAX_MARKERS: usize = 1_000;

/// The markers of a projection, before they are computed.
#[derive(Debug)]
pub(super) enum Markers {
    /// Written out, with slots in arguments and anchors.
    List(Vec<Listed>),
    /// One slot that gives all of them.
    Computed(Expression),
}

/// A marker that is written out.
#[derive(Debug)]
pub(super) struct Listed {
    id: String,
    kind: &'static str,
    recipe: Vec<(String, Option<Template>)>,
    anchor: Option<Template>,
}

impl Markers {
    pub(super) fn plan(markers: &model::Markers) -> Self {
        match markers {
            model::Markers::Computed(slot) => Self::Computed(slot.expression.clone()),
            model::Markers::List(list) => Self::List(list.iter().map(Listed::plan).collect()),
        }
    }

    /// Computes the markers for the state that was read.
    pub(super) fn compute(
        &self,
        projection: &Projection,
        reading: &Reading,
        limits: &Limits,
    ) -> Result<Vec<Marker>, CallError> {
        let budget = Budget { max_bytes: limits.state_bytes.0, ..limits.budget() };
        let failed = |error: String| {
            let message = format!("the markers of `{}` could not be computed: {error}", projection.name);
            CallError::new(ErrorCode::StateMarkersFailed, message)
        };
        let markers = match self {
            Self::Computed(expression) => {
                let value = expression
                    .evaluate(reading.scope(), &budget)
                    .map_err(|error| failed(error.to_string()))?;
                value.into_items()
            }
            Self::List(list) => list
                .iter()
                .map(|marker| marker.fill(reading.scope(), &budget).map_err(failed))
                .collect::<Result<_, _>>()?,
        };
        checked(&markers).map_err(|faults| {
            let message = format!("the markers of `{}` cannot be used: {}", projection.name, faults[0]);
            CallError::new(ErrorCode::InvalidStateMarkers, message).with_evidence("errors", faults)
        })
    }
}

impl Listed {
    fn plan(marker: &model::Marker) -> Self {
        let step = |step: &model::RecipeStep| {
            (step.primitive.value.clone(), step.args.as_ref().map(|args| args.0.template.clone()))
        };
        Self {
            id: marker.id.to_string(),
            kind: marker.marker_type.as_str(),
            recipe: marker.recipe.iter().map(step).collect(),
            anchor: marker.anchor.as_ref().map(|anchor| anchor.template.clone()),
        }
    }

    fn fill(&self, scope: &Value, budget: &Budget) -> Result<Value, String> {
        let value = |template: &Template| {
            template
                .evaluate(scope, budget)
                .map(|value| value.into_json_or_null())
                .map_err(|error| error.to_string())
        };
        let mut recipe = Vec::with_capacity(self.recipe.len());
        for (primitive, args) in &self.recipe {
            let args = args.as_ref().map_or_else(|| Ok(json!({})), value)?;
            recipe.push(json!({ "primitive": primitive, "args": args }));
        }
        let mut marker = json!({ "id": self.id, "type": self.kind, "recipe": recipe });
        if let Some(anchor) = &self.anchor {
            marker["anchor"] = value(anchor)?;
        }
        Ok(marker)
    }
}

/// Reads markers that were computed, or everything that is wrong with them.
fn checked(values: &[Value]) -> Result<Vec<Marker>, Vec<String>> {
    let mut faults = Vec::new();
    if values.len() > MAX_MARKERS {
        return Err(vec![format!("there are {} markers; {MAX_MARKERS} are allowed", values.len())]);
    }
    let mut ids = HashSet::new();
    let mut markers = Vec::with_capacity(values.len());
    for (index, value) in values.iter().enumerate() {
        match marker(value) {
            Ok(marker) if !ids.insert(marker.id.clone()) => {
                faults.push(format!("marker {index}: a second one has the id `{}`", marker.id));
            }
            Ok(marker) => markers.push(marker),
            Err(fault) => faults.push(format!("marker {index}: {fault}")),
        }
    }
    if faults.is_empty() { Ok(markers) } else { Err(faults) }
}

fn marker(value: &Value) -> Result<Marker, String> {
    let known = ["id", "type", "recipe", "anchor"];
    let members = value.as_object().ok_or("it is not an object")?;
    if let Some(unknown) = members.keys().find(|key| !known.contains(&key.as_str())) {
        return Err(format!("`{unknown}` is not a key of a marker"));
    }
    let id = members.get("id").and_then(Value::as_str).ok_or("it has no `id`")?;
    SafeName::parse(id).map_err(|error| error.to_string())?;
    let kind = members.get("type").and_then(Value::as_str).unwrap_or_default();
    let kinds = [model::MarkerType::Cursor, model::MarkerType::Pointer];
    if kinds.iter().all(|known| known.as_str() != kind) {
        return Err(format!("`{kind}` is not a type of marker"));
    }
    let recipe = match members.get("recipe") {
        Some(Value::Array(steps)) if !steps.is_empty() => steps.clone(),
        Some(step @ Value::Object(_)) => vec![step.clone()],
        _ => return Err("its recipe has no steps".to_owned()),
    };
    let anchor = members.get("anchor").filter(|anchor| !anchor.is_null()).cloned();
    if anchor.as_ref().is_some_and(|anchor| !anchor["x"].is_number() || !anchor["y"].is_number()) {
        return Err("its anchor is not a point with `x` and `y`".to_owned());
    }
    let recipe = recipe.iter().map(step).collect::<Result<_, _>>()?;
    Ok(Marker { id: id.to_owned(), kind: kind.to_owned(), recipe, anchor })
}

fn step(value: &Value) -> Result<RecipeStep, String> {
    let primitive =
        value.get("primitive").and_then(Value::as_str).ok_or("a step of its recipe names no primitive")?;
    if !Dictionary::builtin().get(primitive).is_some_and(|primitive| primitive.recipe_step) {
        return Err(format!("a recipe may not use `{primitive}`"));
    }
    let args = match value.get("args") {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(args)) => args.clone(),
        Some(_) => return Err(format!("the arguments of `{primitive}` are not an object")),
    };
    Ok(RecipeStep { primitive: primitive.to_owned(), args })
}
