//! A compiled JSON Schema that validates, fills in defaults and answers questions about paths.

use std::fmt;
use std::sync::{LazyLock, OnceLock};

use actions_protocol::limits;
use jsonschema::error::ValidationErrorKind;
use jsonschema::{Draft, PatternOptions, Validator};
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::defaults::apply_defaults;
use crate::explain::Explainer;
use crate::holes::Holes;
use crate::output_path::has_path;
use crate::schema_error::SchemaError;

/// A JSON Schema 2020-12 that explains itself: validation in sentences, defaults, paths.
///
/// The dictionary uses it for primitives; it serves the schemas of tools, results and signals just as well.
/// References are resolved inside the schema only and never fetched.
pub struct Schema {
    json: LazyLock<Value, Box<dyn FnOnce() -> Value + Send>>,
    validator: OnceLock<Validator>,
}

/// A value that is not a valid JSON Schema 2020-12.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidSchema {
    /// Everything that is wrong, with pointers into the schema; never empty.
    pub errors: Vec<SchemaError>,
}

/// Backtracking a pattern may do before the value counts as not matching; keeps hostile patterns harmless.
const BACKTRACK_LIMIT: usize = 100_000;

impl Schema {
    /// Compiles a schema that is not part of the dictionary, such as one from a map.
    ///
    /// ```
    /// use actions_dictionary::Schema;
    /// use serde_json::json;
    ///
    /// let schema = Schema::compile(json!({"type": "object", "required": ["query"]})).expect("it is a schema");
    /// assert_eq!(schema.validate(&json!({}))[0].message, "needs `query`");
    ///
    /// let error = Schema::compile(json!({"type": "text"})).expect_err("there is no such type");
    /// assert_eq!(error.errors[0].pointer, "/type");
    /// ```
    pub fn compile(json: Value) -> Result<Self, InvalidSchema> {
        if is_deeper_than(&json, limits::MAP_DEPTH) {
            return Err(InvalidSchema::because(format!(
                "is nested more than {} levels deep",
                limits::MAP_DEPTH
            )));
        }
        let validator = compile(&json)?;
        Ok(Schema { json: LazyLock::new(Box::new(move || json)), validator: OnceLock::from(validator) })
    }

    /// Holds a schema of the dictionary, which is prepared and compiled on first use.
    pub(crate) fn lazy(prepare: impl FnOnce() -> Value + Send + 'static) -> Self {
        Schema { json: LazyLock::new(Box::new(prepare)), validator: OnceLock::new() }
    }

    /// The schema itself.
    pub fn json(&self) -> &Value {
        &self.json
    }

    /// Reports everything in the value that does not fit. The sentences never repeat the value.
    pub fn validate(&self, value: &Value) -> Vec<SchemaError> {
        self.validate_with_holes(value, &|_| false)
    }

    /// Reports what does not fit whatever the holes will hold; see [`crate::Primitive::validate_args_with_holes`].
    pub fn validate_with_holes(&self, value: &Value, is_hole: &dyn Fn(&str) -> bool) -> Vec<SchemaError> {
        let validator = self.validator();
        if validator.is_valid(value) {
            return Vec::new();
        }
        let holes = Holes::find(value, is_hole);
        let explainer = Explainer { schema: self.json(), holes: &holes };
        explainer.explain_all(validator.iter_errors(value))
    }

    /// Whether the value fits.
    pub fn is_valid(&self, value: &Value) -> bool {
        self.validator().is_valid(value)
    }

    /// Fills in the declared `default` of every absent property.
    pub fn apply_defaults(&self, value: &mut Value) {
        apply_defaults(self.json(), value);
    }

    /// Whether a fitting value can have a field at this path; none when the schema leaves it open.
    pub fn has_path(&self, path: &[&str]) -> Option<bool> {
        has_path(self.json(), path)
    }

    fn validator(&self) -> &Validator {
        self.validator.get_or_init(|| {
            compile(self.json()).expect("the tests of this crate compile every schema of the dictionary")
        })
    }
}

fn compile(json: &Value) -> Result<Validator, InvalidSchema> {
    // Errors of a meta-schema point into the meta-schema, whose text is not available here.
    let explainer = Explainer { schema: &Value::Null, holes: &Holes::none() };
    let meta = jsonschema::draft202012::meta::validator();
    if !meta.is_valid(json) {
        return Err(InvalidSchema { errors: explainer.explain_all(meta.iter_errors(json)) });
    }
    jsonschema::options()
        .with_draft(Draft::Draft202012)
        .with_pattern_options(PatternOptions::fancy_regex().backtrack_limit(BACKTRACK_LIMIT))
        .build(json)
        .map_err(|error| match error.kind() {
            ValidationErrorKind::Referencing(cause) => {
                InvalidSchema::because(format!("has a reference that leads nowhere: {cause}"))
            }
            _ => InvalidSchema { errors: explainer.explain_all([error]) },
        })
}

fn is_deeper_than(value: &Value, limit: usize) -> bool {
    let mut open = vec![(value, 1)];
    while let Some((value, depth)) = open.pop() {
        if depth > limit {
            return true;
        }
        match value {
            Value::Object(map) => open.extend(map.values().map(|value| (value, depth + 1))),
            Value::Array(items) => open.extend(items.iter().map(|value| (value, depth + 1))),
            _ => {}
        }
    }
    false
}

impl InvalidSchema {
    fn because(message: String) -> Self {
        InvalidSchema {
            errors: vec![SchemaError { pointer: String::new(), keyword: "$schema".to_owned(), message }],
        }
    }
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Schema").field(self.json()).finish()
    }
}

impl Serialize for Schema {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.json().serialize(serializer)
    }
}

impl fmt::Display for InvalidSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a JSON Schema: ")?;
        for (index, error) in self.errors.iter().enumerate() {
            let separator = if index == 0 { "" } else { "; " };
            write!(f, "{separator}{error}")?;
        }
        Ok(())
    }
}

impl std::error::Error for InvalidSchema {}
