//! A default fits its own schema.
//!
//! Defaults are filled in before the arguments are validated, so a wrong one makes every call without that argument
//! fail.
//!
//! Breaks the rule:
//! ```json
//! { "type": "object", "properties": { "page": { "type": "integer", "default": "1" } } }
//! ```
//!
//! Instead:
//! ```json
//! { "type": "object", "properties": { "page": { "type": "integer", "default": 1 } } }
//! ```

use serde_json::Value;

use crate::document::Node;
use crate::finding::Report;
use crate::rule::Rule;
use crate::schema::Extent;
use crate::view::Subject;
use crate::view::schemas::schemas;

pub(super) static RULE: Rule = Rule::error("T005", include_str!("t005_default_does_not_fit.rs"));

/// About how many values the schemas may have that one validation compiles.
const MOST_VALUES: usize = 200_000;

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    let mut values = 0;
    for schema in schemas(subject) {
        if Extent::excess(&schema.schema).is_some() {
            continue;
        }
        subject.document.node(schema.at).walk(&mut |node| {
            let in_properties = node.parent().and_then(Node::key) == Some("properties");
            if !in_properties {
                return;
            }
            let Some(default) = node.get("default") else { return };
            // Properties within properties are looked at once for each level; deep ones are left to the call.
            if values > MOST_VALUES {
                return;
            }
            node.walk(&mut |_| values += 1);
            let property = node.to_value();
            // References are resolved against the whole schema; those properties are left to the call.
            if has_reference(&property) {
                return;
            }
            let Ok(validator) = jsonschema::draft202012::new(&property) else { return };
            if let Err(error) = validator.validate(&default.to_value()) {
                let name = node.key().unwrap_or_default();
                report.find(
                    &RULE,
                    default,
                    format!("the default of `{name}` does not fit its own schema: {error}"),
                );
            }
        });
    }
}

fn has_reference(value: &Value) -> bool {
    match value {
        Value::Object(object) => object.contains_key("$ref") || object.values().any(has_reference),
        Value::Array(array) => array.iter().any(has_reference),
        _ => false,
    }
}
