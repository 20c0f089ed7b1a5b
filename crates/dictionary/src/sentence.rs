//! Validation errors as sentences for people.

use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use jsonschema::{JsonType, JsonTypeSet};
use serde_json::Value;

use crate::closest::closest;
use crate::holes::{Holes, child};
use crate::output_path::{is_requirement, resolve};
use crate::schema_error::SchemaError;

/// Tells what is wrong with a value, given its schema and what is not known about it.
pub(crate) struct Explainer<'a> {
    pub(crate) schema: &'a Value,
    pub(crate) holes: &'a Holes,
}

impl Explainer<'_> {
    /// Tells everything once, in order.
    pub(crate) fn explain_all<'e>(
        &self,
        errors: impl IntoIterator<Item = ValidationError<'e>>,
    ) -> Vec<SchemaError> {
        let mut told = Vec::new();
        for error in errors {
            self.explain(&error, &mut told);
        }
        // Schemas that say the same in several places, as the meta-schema does, report it several times.
        let mut unique: Vec<SchemaError> = Vec::with_capacity(told.len());
        for error in told {
            if !unique.contains(&error) {
                unique.push(error);
            }
        }
        unique
    }

    /// Adds what the error says, unless a filling of the holes could mend it.
    fn explain(&self, error: &ValidationError<'_>, out: &mut Vec<SchemaError>) {
        if !self.is_certain(error) {
            return;
        }
        let pointer = error.instance_path().as_str();
        match error.kind() {
            Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
                let known = self.sibling_properties(error);
                for key in unexpected {
                    out.push(SchemaError {
                        pointer: child(pointer, key),
                        keyword: error.kind().keyword().to_owned(),
                        message: unknown_key(key, &known),
                    });
                }
            }
            Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
                match self.nearest_branch(pointer, error, context) {
                    Nearest::Branch(errors) => errors.iter().for_each(|error| self.explain(error, out)),
                    Nearest::None(message) => push(out, error, message),
                }
            }
            _ => push(out, error, self.sentence(error)),
        }
    }

    /// Whether no filling of the holes could mend the error.
    fn is_certain(&self, error: &ValidationError<'_>) -> bool {
        let pointer = error.instance_path().as_str();
        if self.holes.cover(pointer) {
            return false;
        }
        match error.kind() {
            Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
                context.iter().all(|branch| branch.iter().any(|error| self.is_certain(error)))
            }
            Kind::OneOfMultipleValid { .. } => match self.requirements(error) {
                Some(branches) => branches.iter().filter(|keys| self.surely_has(error, keys)).count() > 1,
                None => !self.holes.touch(pointer),
            },
            Kind::Not { schema } => match exclusions(schema) {
                Some(branches) => branches.iter().any(|keys| self.surely_has(error, keys)),
                None => !self.holes.touch(pointer),
            },
            Kind::Constant { .. }
            | Kind::Enum { .. }
            | Kind::UniqueItems
            | Kind::Contains
            | Kind::MaxProperties { .. } => !self.holes.touch(pointer),
            _ => true,
        }
    }

    /// Whether the object has all the keys, none of them a hole that may turn out to be absent.
    fn surely_has(&self, error: &ValidationError<'_>, keys: &[&str]) -> bool {
        let pointer = error.instance_path().as_str();
        keys.iter().all(|key| error.instance().get(key).is_some() && !self.holes.cover(&child(pointer, key)))
    }

    fn sentence(&self, error: &ValidationError<'_>) -> String {
        match error.kind() {
            Kind::Type { kind } => type_sentence(&type_names(kind), error.instance()),
            Kind::Required { property } => format!("needs `{}`", plain(property)),
            Kind::Enum { options } => enum_sentence(options, error.instance()),
            Kind::Constant { expected_value } => format!("must be `{}`", plain(expected_value)),
            Kind::Minimum { limit } => format!("must be at least {limit}"),
            Kind::Maximum { limit } => format!("must be at most {limit}"),
            Kind::ExclusiveMinimum { limit } => format!("must be greater than {limit}"),
            Kind::ExclusiveMaximum { limit } => format!("must be less than {limit}"),
            Kind::MultipleOf { multiple_of } => format!("must be a multiple of {multiple_of}"),
            Kind::MinLength { limit: 1 } | Kind::MinItems { limit: 1 } | Kind::MinProperties { limit: 1 } => {
                "must not be empty".to_owned()
            }
            Kind::MinLength { limit } => format!("must have at least {limit} characters"),
            Kind::MaxLength { limit } => format!("must have at most {limit} characters"),
            Kind::MinItems { limit } => format!("must have at least {limit} items"),
            Kind::MaxItems { limit } => format!("must have at most {limit} items"),
            Kind::MinProperties { limit } => format!("must have at least {limit} properties"),
            Kind::MaxProperties { limit } => format!("must have at most {limit} properties"),
            Kind::UniqueItems => "must not hold the same item twice".to_owned(),
            Kind::Pattern { pattern } => format!("must match the pattern `{pattern}`"),
            Kind::Format { format } if format == "regex" => "must be a regular expression".to_owned(),
            Kind::Format { format } => format!("must have the format `{format}`"),
            Kind::OneOfMultipleValid { .. } => match self.requirements(error) {
                Some(branches) => format!("takes either {}, not both", listed(&branches)),
                None => "fits more than one of the allowed forms; it must fit exactly one".to_owned(),
            },
            Kind::Not { schema } => {
                let branches = exclusions(schema).unwrap_or_default();
                match branches.iter().find(|keys| self.surely_has(error, keys)) {
                    Some(keys) => format!("takes only one of {}", quoted(keys, " and ")),
                    None => "has a form that is ruled out".to_owned(),
                }
            }
            _ => format!("does not fit: {}", error.masked_with("the value")),
        }
    }

    /// Picks the branch a person most likely meant, so that its errors can be told instead of "none fits".
    fn nearest_branch<'e>(
        &self,
        pointer: &str,
        error: &ValidationError<'_>,
        context: &'e [Vec<ValidationError<'static>>],
    ) -> Nearest<'e> {
        if let Some(branches) = self.requirements(error) {
            return Nearest::None(format!("needs {}", listed(&branches)));
        }
        let mut types = Vec::new();
        let mut nearest: Option<&[ValidationError<'static>]> = None;
        for branch in context {
            let here = branch.iter().filter(|error| error.instance_path().as_str() == pointer);
            let wrong_type = here.filter_map(expected_types).next();
            match wrong_type {
                Some(names) => types.extend(names),
                None if nearest.is_none_or(|nearest| distance(branch) < distance(nearest)) => {
                    nearest = Some(branch)
                }
                None => {}
            }
        }
        match nearest {
            Some(errors) => Nearest::Branch(errors),
            None if types.is_empty() => Nearest::None("fits none of the allowed forms".to_owned()),
            None => {
                types.dedup();
                Nearest::None(type_sentence(&types, error.instance()))
            }
        }
    }

    /// The keys each branch of an `anyOf` or `oneOf` requires, when the branches require keys and nothing else.
    fn requirements(&self, error: &ValidationError<'_>) -> Option<Vec<Vec<&str>>> {
        let branches = self.schema.pointer(error.schema_path().as_str())?.as_array()?;
        branches.iter().map(required_keys).collect()
    }

    /// The keys the object with the unknown key could have had.
    fn sibling_properties(&self, error: &ValidationError<'_>) -> Vec<&str> {
        let path = error.schema_path().as_str();
        let parent = path.rfind('/').and_then(|end| self.schema.pointer(&path[..end]));
        let properties = parent
            .and_then(|parent| resolve(self.schema, parent))
            .and_then(|parent| parent.get("properties"))
            .and_then(Value::as_object);
        properties.into_iter().flat_map(|map| map.keys().map(String::as_str)).collect()
    }
}

enum Nearest<'e> {
    Branch(&'e [ValidationError<'static>]),
    None(String),
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
    let other_modes =
        branch.iter().filter(|error| matches!(error.kind(), Kind::Constant { .. } | Kind::Enum { .. }));
    let unknown_keys = branch.iter().map(|error| match error.kind() {
        Kind::AdditionalProperties { unexpected } => unexpected.len(),
        _ => 0,
    });
    (other_modes.count(), unknown_keys.sum(), branch.len())
}

fn push(out: &mut Vec<SchemaError>, error: &ValidationError<'_>, message: String) {
    out.push(SchemaError {
        pointer: error.instance_path().as_str().to_owned(),
        keyword: error.kind().keyword().to_owned(),
        message,
    });
}

fn required_keys(branch: &Value) -> Option<Vec<&str>> {
    if !is_requirement(branch) {
        return None;
    }
    branch["required"].as_array()?.iter().map(Value::as_str).collect()
}

/// The combinations of keys that a `not` rules out, when it rules out combinations and nothing else.
fn exclusions(schema: &Value) -> Option<Vec<Vec<&str>>> {
    match schema.get("anyOf").and_then(Value::as_array) {
        Some(branches) => branches.iter().map(required_keys).collect(),
        None => required_keys(schema).map(|keys| vec![keys]),
    }
}

fn unknown_key(key: &str, known: &[&str]) -> String {
    match closest(key, known.iter().copied()) {
        Some(meant) => format!("is not a known key; did you mean `{meant}`?"),
        None if known.is_empty() => "is not a known key; none is expected here".to_owned(),
        None => format!("is not a known key; known are {}", quoted(known, ", ")),
    }
}

fn enum_sentence(options: &Value, value: &Value) -> String {
    let names: Vec<String> = options.as_array().into_iter().flatten().map(plain).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    match value.as_str().and_then(|word| closest(word, names.iter().copied())) {
        Some(meant) => format!("must be one of {}; did you mean `{meant}`?", quoted(&names, ", ")),
        None => format!("must be one of {}", quoted(&names, ", ")),
    }
}

fn type_sentence(names: &[JsonType], value: &Value) -> String {
    let expected = names.iter().map(|name| article(*name)).collect::<Vec<_>>().join(" or ");
    let wants_number = names.iter().any(|name| matches!(name, JsonType::Number | JsonType::Integer));
    match value {
        Value::String(text) if wants_number && text.trim().parse::<f64>().is_ok() => {
            format!("must be {expected}; a number in quotes is a string")
        }
        Value::Number(_) if names == [JsonType::Integer] => "must be a whole number".to_owned(),
        _ => format!("must be {expected}, not {}", article(JsonType::from(value))),
    }
}

fn type_names(kind: &TypeKind) -> Vec<JsonType> {
    match kind {
        TypeKind::Single(one) => vec![*one],
        TypeKind::Multiple(several) => JsonTypeSet::iter(several).collect(),
    }
}

fn article(name: JsonType) -> &'static str {
    match name {
        JsonType::Array => "an array",
        JsonType::Boolean => "a boolean",
        JsonType::Integer => "a whole number",
        JsonType::Null => "null",
        JsonType::Number => "a number",
        JsonType::Object => "an object",
        JsonType::String => "a string",
    }
}

/// `x` and `y`, or `locator`.
fn listed(branches: &[Vec<&str>]) -> String {
    let separator = if branches.iter().all(|keys| keys.len() == 1) { " or " } else { ", or " };
    branches.iter().map(|keys| quoted(keys, " and ")).collect::<Vec<_>>().join(separator)
}

fn quoted(words: &[&str], separator: &str) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(separator)
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
