//! Every required argument can be given.
//!
//! A schema that is closed by `"additionalProperties": false` and requires a property it does not declare refuses
//! every call: with the property because it is not allowed, without it because it is missing.
//!
//! Breaks the rule:
//! ```json
//! { "type": "object", "required": ["query"], "properties": { "q": {} }, "additionalProperties": false }
//! ```
//!
//! Instead: declare the property.

use serde_json::Value;

use crate::finding::Report;
use crate::lower::closest;
use crate::rule::Rule;
use crate::view::Subject;

pub(super) static RULE: Rule = Rule::error("T009", include_str!("t009_impossible_input.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for tool in &subject.manifest.tools {
        let schema = &tool.input_schema.schema;
        if schema.get("additionalProperties") != Some(&Value::Bool(false))
            || schema.contains_key("patternProperties")
        {
            continue;
        }
        let node = subject.document.node(tool.input_schema.at);
        let declared: Vec<&str> = node
            .get("properties")
            .into_iter()
            .flat_map(|properties| properties.members())
            .map(|(name, _)| name)
            .collect();
        for required in node.get("required").into_iter().flat_map(|required| required.elements()) {
            let Some(name) = required.as_str().filter(|name| !declared.contains(name)) else { continue };
            let help = closest(name, &declared).map(|near| format!("did you mean `{near}`?"));
            report
                .find(&RULE, required, format!("`{name}` is required but not allowed: no call can be valid"))
                .help(help.unwrap_or_else(|| "declare it under `properties`".to_owned()));
        }
    }
}
