//! The arguments of a nested call fit the tool that is called.
//!
//! A step that performs another tool through `actions.site` is a call like any other: its `arguments` must fit the
//! `input_schema` of that tool, or it ends with `invalid_input`. A slot counts as a value that is not known yet.
//!
//! Breaks the rule:
//! ```json
//! { "primitive": "actions.site", "args": { "mode": "call", "action": "search.submit", "arguments": { "qurey": "maps" } } }
//! ```
//!
//! Instead:
//! ```json
//! { "primitive": "actions.site", "args": { "mode": "call", "action": "search.submit", "arguments": { "query": "maps" } } }
//! ```

use std::collections::HashMap;

use actions_dictionary::Schema;
use serde_json::json;

use crate::document::{Kind, Node, Spot};
use crate::finding::Report;
use crate::rule::Rule;
use crate::view::Subject;
use crate::view::{self, UsedAs, holes, label, literal};

pub(super) static RULE: Rule = Rule::error("W022", include_str!("w022_nested_arguments.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    let mut schemas = HashMap::new();
    for used in
        subject.view.primitives.iter().filter(|used| used.calls_a_tool() && used.used_as == UsedAs::Step)
    {
        let Some((args, action)) = used.args.and_then(|args| Some((args, args.get("action")?))) else {
            continue;
        };
        let Some(name) = literal(action) else { continue };
        let schema = schemas.entry(name).or_insert_with(|| input_schema(subject, name));
        let Some((declared, schema)) = schema else { continue };
        let arguments = args.get("arguments");
        if arguments.is_some_and(|arguments| arguments.kind() != Kind::Object) {
            continue;
        }
        let mut value = arguments.map_or_else(|| json!({}), Node::to_value);
        schema.apply_defaults(&mut value);
        let holes = arguments.map(|arguments| holes(arguments, "")).unwrap_or_default();
        for error in schema.validate_with_holes(&value, &|pointer| holes.contains(pointer)) {
            let at = arguments.and_then(|arguments| arguments.at(&error.pointer));
            let spot = match at {
                Some(at) if error.pointer.is_empty() || error.keyword == "additionalProperties" => {
                    Spot::Key(at)
                }
                Some(at) => Spot::Value(at),
                None => Spot::Value(action),
            };
            let what = if error.pointer.is_empty() { name.to_owned() } else { label(&error.pointer) };
            report
                .find(&RULE, spot, format!("`{what}` {}", error.message))
                .help(format!("the arguments go to `{name}`"))
                .related(Spot::Key(*declared), "what it takes");
        }
    }
}

/// The schema of the arguments of a tool of this map, if it is one.
fn input_schema<'d>(subject: &Subject<'d>, name: &str) -> Option<(Node<'d>, Schema)> {
    let document: &'d crate::document::Document = subject.document;
    let tool = view::tools(document).find(|tool| tool.get("name").and_then(Node::as_str) == Some(name))?;
    let node = tool.get("input_schema").filter(|schema| schema.kind() == Kind::Object)?;
    Some((node, Schema::compile(node.to_value()).ok()?))
}
