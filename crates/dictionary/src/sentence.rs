//! The words for what does not fit. They never repeat the value.

use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use jsonschema::{JsonType, JsonTypeSet};
use serde_json::Value;

use crate::closest::closest;

/// Names listed before "and N more".
const MAX_NAMES: usize = 24;

/// Says what would be right.
pub(crate) fn sentence(error: &ValidationError<'_>) -> String {
    match error.kind() {
        Kind::Type { kind } => wrong_type(&type_names(kind), error.instance()),
        Kind::Enum { options } => one_of(options.as_array().map_or(&[], Vec::as_slice), error.instance()),
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
        _ => format!("does not fit: {}", error.masked_with("the value")),
    }
}

/// Says that a key is not known, and which one was meant.
pub(crate) fn unknown_key(key: &str, known: &[&str]) -> String {
    match closest(key, known.iter().copied()) {
        Some(meant) => format!("is not a known key; did you mean `{meant}`?"),
        None if known.is_empty() => "is not a known key; none is expected here".to_owned(),
        None => format!("is not a known key; known are {}", quoted(known, ", ")),
    }
}

/// Lists the values that would be right.
pub(crate) fn one_of(options: &[Value], value: &Value) -> String {
    let names: Vec<String> = options.iter().map(plain).collect();
    let expected = format!("must be one of {}", quoted(&names, ", "));
    match value.as_str().and_then(|word| closest(word, names.iter().map(String::as_str))) {
        Some(meant) => format!("{expected}; did you mean `{meant}`?"),
        None => expected,
    }
}

/// Tells the type that would be right from the one that is there.
pub(crate) fn wrong_type(expected: &[JsonType], value: &Value) -> String {
    let names = expected.iter().map(|name| with_article(*name)).collect::<Vec<_>>().join(" or ");
    let wants_number = expected.iter().any(|name| matches!(name, JsonType::Number | JsonType::Integer));
    match value {
        Value::String(text) if wants_number && text.trim().parse::<f64>().is_ok() => {
            format!("must be {names}; a number in quotes is a string")
        }
        Value::Number(_) if expected == [JsonType::Integer] => "must be a whole number".to_owned(),
        _ => format!("must be {names}, not {}", with_article(JsonType::from(value))),
    }
}

/// The types of a `type` keyword.
pub(crate) fn type_names(kind: &TypeKind) -> Vec<JsonType> {
    match kind {
        TypeKind::Single(one) => vec![*one],
        TypeKind::Multiple(several) => JsonTypeSet::iter(several).collect(),
    }
}

fn with_article(name: JsonType) -> &'static str {
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
pub(crate) fn alternatives<S: AsRef<str>>(combinations: &[Vec<S>]) -> String {
    let separator = if combinations.iter().all(|keys| keys.len() == 1) { " or " } else { ", or " };
    combinations.iter().map(|keys| quoted(keys, " and ")).collect::<Vec<_>>().join(separator)
}

/// The words in back-quotes.
pub(crate) fn quoted<S: AsRef<str>>(words: &[S], separator: &str) -> String {
    let shown: Vec<String> =
        words.iter().take(MAX_NAMES).map(|word| format!("`{}`", word.as_ref())).collect();
    match words.len().saturating_sub(MAX_NAMES) {
        0 => shown.join(separator),
        more => format!("{} and {more} more", shown.join(separator)),
    }
}

/// A value of the schema as a person writes it.
pub(crate) fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
