//! Turns the errors of a JSON Schema validator into sentences for people.

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::Value;

use crate::branches::{Nearest, nearest};
use crate::holes::{Holes, child};
use crate::output_path::{is_requirement, resolve};
use crate::schema_error::SchemaError;
use crate::sentence::{alternatives, plain, quoted, sentence, unknown_key};

/// The most errors reported about one value.
const MAX_ERRORS: usize = 100;

/// Tells what is wrong with a value, given its schema and what is not known about it.
pub(crate) struct Explainer<'a> {
    pub(crate) schema: &'a Value,
    pub(crate) holes: &'a Holes,
}

impl Explainer<'_> {
    /// Explains all errors in order, each explanation once.
    pub(crate) fn explain_all<'e>(
        &self,
        errors: impl IntoIterator<Item = ValidationError<'e>>,
    ) -> Vec<SchemaError> {
        let mut explained: Vec<SchemaError> = Vec::new();
        for error in errors {
            let mut more = Vec::new();
            self.explain(&error, &mut more);
            // Schemas that say the same in several places, as the meta-schema does, report it several times.
            for error in more {
                if !explained.contains(&error) {
                    explained.push(error);
                }
            }
            if explained.len() >= MAX_ERRORS {
                explained.truncate(MAX_ERRORS);
                break;
            }
        }
        explained
    }

    /// Adds what the error says, unless a filling of the holes could mend it.
    fn explain(&self, error: &ValidationError<'_>, out: &mut Vec<SchemaError>) {
        if !self.is_certain(error) {
            return;
        }
        let pointer = error.instance_path().as_str();
        let at = |pointer: String, message: String| SchemaError {
            pointer,
            keyword: error.kind().keyword().to_owned(),
            message,
        };
        match error.kind() {
            Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
                let known = self.sibling_properties(error);
                out.extend(unexpected.iter().map(|key| at(child(pointer, key), unknown_key(key, &known))));
            }
            Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
                if let Some(branches) = self.requirements(error) {
                    out.push(at(pointer.to_owned(), format!("needs {}", alternatives(&branches))));
                    return;
                }
                match nearest(error, context, self.holes) {
                    Nearest::Branch(errors) => errors.iter().for_each(|error| self.explain(error, out)),
                    Nearest::Mode(error) => out.push(error),
                    Nearest::None(message) => out.push(at(pointer.to_owned(), message)),
                }
            }
            _ => out.push(at(pointer.to_owned(), self.sentence(error))),
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
            Kind::Required { property } => match self.demanding_keys(error, property) {
                // What a key demands is not demanded when the key turns out to be absent.
                Some(keys) => keys.iter().any(|key| self.surely_has(error, &[key])),
                None => true,
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

    /// Words the errors about which keys go together, and leaves all others to [`sentence`].
    fn sentence(&self, error: &ValidationError<'_>) -> String {
        let present = |branches: Vec<Vec<&'_ str>>| -> Vec<Vec<String>> {
            let given = branches.into_iter().filter(|keys| self.surely_has(error, keys));
            given.map(|keys| keys.into_iter().map(str::to_owned).collect()).collect()
        };
        match error.kind() {
            Kind::Required { property } => match self.demanding_keys(error, property) {
                Some(keys) => format!("needs `{}` beside {}", plain(property), quoted(&keys, " or ")),
                None => format!("needs `{}`", plain(property)),
            },
            Kind::OneOfMultipleValid { .. } => match self.requirements(error).map(present) {
                Some(given) => format!("takes either {}, not both", alternatives(&given)),
                None => "fits more than one of the allowed forms; it must fit exactly one".to_owned(),
            },
            Kind::Not { schema } => match exclusions(schema).map(present).unwrap_or_default().first() {
                Some(keys) => format!("takes only one of {}", quoted(keys, " and ")),
                None => "has a form that is ruled out".to_owned(),
            },
            _ => sentence(error),
        }
    }

    /// The keys each branch of an `anyOf` or `oneOf` requires, when the branches require keys and nothing else.
    fn requirements(&self, error: &ValidationError<'_>) -> Option<Vec<Vec<&str>>> {
        let branches = self.schema.pointer(error.schema_path().as_str())?.as_array()?;
        branches.iter().map(required_keys).collect()
    }

    /// The keys that demand the property by `dependentRequired`; none when it is required anyway.
    fn demanding_keys(&self, error: &ValidationError<'_>, property: &Value) -> Option<Vec<&str>> {
        let path = error.schema_path().as_str();
        let demands = self.schema.pointer(path).filter(|_| path.ends_with("/dependentRequired"))?;
        let demands = demands.as_object()?.iter();
        let of_it = demands.filter(|(_, keys)| keys.as_array().is_some_and(|keys| keys.contains(property)));
        Some(of_it.map(|(key, _)| key.as_str()).collect())
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
