//! A schema is valid JSON Schema 2020-12.
//!
//! Arguments, results, payloads and states are validated against it; a schema that is itself wrong would accept or
//! refuse the wrong things.
//!
//! Breaks the rule:
//! ```json
//! { "type": "object", "properties": { "query": { "type": "text" } } }
//! ```
//!
//! Instead:
//! ```json
//! { "type": "object", "properties": { "query": { "type": "string" } } }
//! ```

use std::collections::HashMap;

use serde_json::Value;

use crate::document::Node;
use crate::finding::Report;
use crate::lower::listed;
use crate::rule::Rule;
use crate::schema::Extent;
use crate::view::Subject;
use crate::view::schemas::schemas;

pub(super) static RULE: Rule = Rule::error("T003", include_str!("t003_invalid_json_schema.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    let meta = jsonschema::draft202012::meta::validator();
    let mut patterns = Patterns::default();
    for schema in schemas(subject) {
        if Extent::excess(&schema.schema).is_some() {
            continue;
        }
        let node = subject.document.node(schema.at);
        let value = Value::Object(schema.schema.clone());
        if meta.is_valid(&value) {
            invalid_patterns(node, &mut patterns, report);
            continue;
        }
        for error in meta.iter_errors(&value) {
            let at = node.at(error.instance_path().as_str()).unwrap_or(node);
            let message = unknown_type(at).unwrap_or_else(|| error.to_string());
            report.find(&RULE, at, format!("this is not valid JSON Schema: {message}"));
        }
    }
}

/// The patterns of a map with what is wrong with them. Compiling one is costly, and maps repeat theirs.
#[derive(Default)]
struct Patterns<'d>(HashMap<&'d str, Option<String>>);

impl<'d> Patterns<'d> {
    /// What is wrong with a pattern. The meta-schema takes it for any text; only compiling it shows the fault.
    fn fault(&mut self, pattern: &'d str) -> Option<&str> {
        let compile = || jsonschema::draft202012::new(&serde_json::json!({ "pattern": pattern }));
        self.0.entry(pattern).or_insert_with(|| compile().err().map(|error| error.to_string())).as_deref()
    }
}

fn invalid_patterns<'d>(schema: Node<'d>, patterns: &mut Patterns<'d>, report: &mut Report) {
    schema.walk(&mut |node| {
        let in_properties = node.parent().and_then(Node::key) == Some("properties");
        let Some(pattern) = node.as_str().filter(|_| node.key() == Some("pattern") && !in_properties) else {
            return;
        };
        if let Some(fault) = patterns.fault(pattern) {
            report.find(&RULE, node, format!("this is not valid JSON Schema: {fault}"));
        }
    });
}

const TYPES: &[&str] = &["null", "boolean", "object", "array", "number", "string", "integer"];

/// Replaces the meta-schema's message about an unknown type, which does not help.
fn unknown_type(node: Node<'_>) -> Option<String> {
    let name = node.as_str().filter(|_| node.key() == Some("type"))?;
    Some(format!("there is no type `{name}`; one of {}", listed(TYPES)))
}
