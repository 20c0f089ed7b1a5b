//! Checks values against the schemas of a map, within bounds.

use std::fmt::{self, Write};

use actions_manifest::schema::{Schema, TooMuchWork, Work};
use actions_protocol::{ErrorCode, limits};
use jsonschema::{Draft, PatternOptions, ValidationError, Validator};
use serde::Serialize;
use serde_json::{Value, json};

use crate::failure::CallError;

/// A schema of a map, ready to be checked against.
#[derive(Debug)]
pub(crate) struct Checker {
    pub(crate) schema: Schema,
    validator: Validator,
}

/// One thing that does not fit a schema.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SchemaFault {
    /// The JSON pointer of the value.
    pub(crate) path: String,
    /// What is wrong.
    pub(crate) message: String,
}

/// Why a value does not fit a schema.
#[derive(Debug)]
pub(crate) enum Misfit {
    /// It was not checked.
    TooMuchWork(TooMuchWork),
    /// It was checked.
    Faults(Faults),
}

/// What does not fit: the first faults, and how many there are.
#[derive(Debug)]
pub(crate) struct Faults {
    pub(crate) first: Vec<SchemaFault>,
    /// Absent if they were too many to count.
    pub(crate) count: Option<usize>,
}

/// Backtracking that a pattern may do before the value counts as not matching.
const BACKTRACK_LIMIT: usize = 100_000;

/// The memory of a compiled pattern.
const PATTERN_BYTES: usize = 4 << 20;

/// A longer message is replaced by one that does not repeat the value.
const MESSAGE: usize = 1_000;

impl Checker {
    /// Compiles a schema. Nothing is ever fetched.
    pub(crate) fn of(schema: &Schema) -> Result<Self, CallError> {
        let patterns = PatternOptions::fancy_regex()
            .backtrack_limit(BACKTRACK_LIMIT)
            .size_limit(PATTERN_BYTES)
            .dfa_size_limit(PATTERN_BYTES);
        let validator = jsonschema::options()
            .with_draft(Draft::Draft202012)
            .with_pattern_options(patterns)
            .build(&Value::Object(schema.clone()))
            .map_err(|error| {
                let message = format!("a schema of the map cannot be used: {error}");
                CallError::new(ErrorCode::ManifestInvalid, message)
            })?;
        Ok(Self { schema: schema.clone(), validator })
    }

    /// Finds what does not fit. The work is counted before it is done, because nothing could stop it.
    pub(crate) fn check(&self, value: &Value) -> Result<(), Misfit> {
        let work = Work::of(&self.schema, value, limits::SCHEMA_STEPS).map_err(Misfit::TooMuchWork)?;
        if self.validator.is_valid(value) {
            return Ok(());
        }
        let (first, count) = if limits::SCHEMA_REPORT.allows(work.report) {
            let mut errors = self.validator.iter_errors(value);
            let first: Vec<_> =
                errors.by_ref().take(limits::SCHEMA_FAULTS).map(|error| fault(&error)).collect();
            let count = first.len() + errors.count();
            (first, Some(count))
        } else if limits::SCHEMA_REPORT.allows(work.choice) {
            (self.validator.validate(value).err().iter().map(fault).collect(), None)
        } else {
            let message = "it does not fit, and has too many parts to say where".to_owned();
            (vec![SchemaFault { path: String::new(), message }], None)
        };
        Err(Misfit::Faults(Faults { first, count }))
    }
}

impl Misfit {
    /// The faults as a list of one at least.
    pub(crate) fn into_faults(self) -> Faults {
        match self {
            Misfit::Faults(faults) => faults,
            Misfit::TooMuchWork(error) => {
                let first = vec![SchemaFault { path: String::new(), message: error.to_string() }];
                Faults { first, count: Some(1) }
            }
        }
    }
}

impl Faults {
    /// The first fault, where it is, and how many there are.
    pub(crate) fn sentence(&self) -> String {
        let Some(first) = self.first.first() else { return String::new() };
        let place = if first.path.is_empty() { String::new() } else { format!(" at {}", first.path) };
        let more = match self.count {
            Some(1) => String::new(),
            Some(count) => format!(" (and {} more)", count - 1),
            None => " (and there may be more)".to_owned(),
        };
        format!("{place}: {}{more}", first.message)
    }

    /// The evidence for an error: the first faults, and the count if that is more than those.
    pub(crate) fn evidence(&self, error: CallError) -> CallError {
        let error = error.with_evidence("errors", json!(self.first));
        match self.count {
            Some(count) if count > self.first.len() => error.with_evidence("error_count", count),
            _ => error,
        }
    }
}

fn fault(error: &ValidationError<'_>) -> SchemaFault {
    let message = within(error)
        .or_else(|| within(&error.masked()))
        .unwrap_or_else(|| format!("it does not fit `{}`", error.kind().keyword()));
    SchemaFault { path: error.instance_path().to_string(), message }
}

/// The message, if it is not too long. A part of a message could end within a secret, which would then not be masked.
fn within(message: &impl fmt::Display) -> Option<String> {
    let mut bounded = Bounded(String::new());
    write!(bounded, "{message}").ok().map(|()| bounded.0)
}

/// A text that stops growing.
struct Bounded(String);

impl Write for Bounded {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.push_str(text);
        if self.0.len() > MESSAGE { Err(fmt::Error) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(schema: Value, value: &Value) -> Faults {
        let checker = Checker::of(schema.as_object().unwrap()).unwrap();
        checker.check(value).unwrap_err().into_faults()
    }

    #[test]
    fn the_first_faults_are_listed_and_all_of_them_are_counted() {
        let faults = faults(json!({ "items": { "type": "string" } }), &Value::from(vec![1; 500]));
        assert_eq!((faults.first.len(), faults.count), (limits::SCHEMA_FAULTS, Some(500)));
        assert_eq!(faults.first[19].path, "/19");
        assert!(faults.sentence().ends_with(" (and 499 more)"), "{}", faults.sentence());
    }

    #[test]
    fn a_schema_that_doubles_at_every_level_is_not_evaluated() {
        let twice = json!({ "allOf": [{ "items": { "$ref": "#" } }, { "items": { "$ref": "#" } }] });
        let nested = (0..100).fold(json!([]), |inner, _| json!([inner]));
        let faults = faults(twice, &nested);
        assert!(faults.sentence().contains("steps to check"), "{}", faults.sentence());
    }

    #[test]
    fn a_message_does_not_repeat_a_long_value() {
        let faults = faults(json!({ "type": "integer" }), &json!("x".repeat(1 << 20)));
        assert_eq!(faults.first[0].message, "value is not of type \"integer\"");
    }

    #[test]
    fn faults_that_would_fill_the_memory_are_not_collected() {
        let long = json!({ "additionalProperties": { "items": { "type": "string" } } });
        let value = json!({ "k".repeat(10_000): vec![1; 100_000] });
        let faults = faults(long, &value);
        assert_eq!((faults.first.len(), faults.count), (1, None));
        let choice = json!({ "anyOf": [{ "additionalProperties": { "items": { "type": "string" } } }] });
        let faults = self::faults(choice, &value);
        assert!(faults.sentence().contains("too many parts"), "{}", faults.sentence());
    }
}
