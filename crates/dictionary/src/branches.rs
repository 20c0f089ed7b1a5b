//! A value that fits no branch of an `anyOf` or `oneOf`: which branch a person most likely meant.

use jsonschema::error::ValidationErrorKind as Kind;
use jsonschema::{JsonType, ValidationError};
use serde_json::Value;

use crate::holes::Holes;
use crate::schema_error::SchemaError;
use crate::sentence::{one_of, type_names, wrong_type};

/// What to report about a value that fits no branch.
pub(crate) enum Nearest<'e> {
    /// The errors of the branch it is nearest to.
    Branch(&'e [ValidationError<'static>]),
    /// That its mode is none of the modes the branches are for.
    Mode(SchemaError),
    /// That it fits none.
    None(String),
}

/// Picks the most useful report about a value, so that it is seldom "none fits".
pub(crate) fn nearest<'e>(
    error: &ValidationError<'_>,
    branches: &'e [Vec<ValidationError<'static>>],
    holes: &Holes,
) -> Nearest<'e> {
    if let Some(error) = unknown_mode(branches, holes) {
        return Nearest::Mode(error);
    }
    let mut types = Vec::new();
    let mut nearest: Option<&[ValidationError<'static>]> = None;
    for branch in branches {
        let mut here = branch.iter().filter(|inner| inner.instance_path() == error.instance_path());
        match here.find_map(expected_types) {
            Some(expected) => types.extend(expected),
            None if nearest.is_none_or(|nearest| distance(branch) < distance(nearest)) => {
                nearest = Some(branch)
            }
            None => {}
        }
    }
    types.dedup();
    match nearest {
        Some(errors) => Nearest::Branch(errors),
        None if types.is_empty() => Nearest::None("fits none of the allowed forms".to_owned()),
        None => Nearest::None(wrong_type(&types, error.instance())),
    }
}

/// The error of a value whose mode – one property with another constant in each branch – fits no branch.
fn unknown_mode(branches: &[Vec<ValidationError<'static>>], holes: &Holes) -> Option<SchemaError> {
    let mut modes: Vec<Value> = Vec::new();
    let mut place: Option<&ValidationError<'static>> = None;
    for branch in branches {
        let (error, options) = branch.iter().find_map(|error| match error.kind() {
            Kind::Constant { expected_value } => Some((error, vec![expected_value.as_ref().clone()])),
            Kind::Enum { options } => Some((error, options.as_array()?.clone())),
            _ => None,
        })?;
        if place.is_some_and(|place| place.instance_path() != error.instance_path()) {
            return None;
        }
        place = Some(error);
        modes.extend(options);
    }
    let error = place.filter(|place| !holes.touch(place.instance_path().as_str()))?;
    Some(SchemaError {
        pointer: error.instance_path().as_str().to_owned(),
        keyword: "enum".to_owned(),
        message: one_of(&modes, error.instance()),
    })
}

/// The types a value should have had, when its type alone rules it out.
fn expected_types(error: &ValidationError<'_>) -> Option<Vec<JsonType>> {
    match error.kind() {
        Kind::Type { kind } => Some(type_names(kind)),
        Kind::Enum { options } => {
            let mut types: Vec<JsonType> = options.as_array()?.iter().map(JsonType::from).collect();
            types.dedup();
            (!types.contains(&JsonType::from(error.instance().as_ref()))).then_some(types)
        }
        _ => None,
    }
}

/// How far a value is from a branch: a mode the branch is not for counts first, then keys it does not know.
fn distance(branch: &[ValidationError<'static>]) -> (usize, usize, usize) {
    let is_other_mode =
        |error: &&ValidationError<'_>| matches!(error.kind(), Kind::Constant { .. } | Kind::Enum { .. });
    let unknown_keys = branch.iter().map(|error| match error.kind() {
        Kind::AdditionalProperties { unexpected } => unexpected.len(),
        _ => 0,
    });
    (branch.iter().filter(is_other_mode).count(), unknown_keys.sum(), branch.len())
}
