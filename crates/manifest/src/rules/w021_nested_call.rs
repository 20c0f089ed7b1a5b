//! A step that calls a tool calls one that exists, and never comes back to itself.
//!
//! `actions.site` in a step performs another tool of the map, with `"mode": "call"` and nothing else: what the map
//! offers and what state the page is in is the caller's business. Calls nest at most four deep, and a tool that calls
//! itself, directly or through others, would not end.
//!
//! Breaks the rule:
//! ```json
//! { "id": "open", "primitive": "actions.site", "args": { "mode": "call", "action": "cart.opne", "arguments": {} } }
//! ```
//!
//! Instead: name the tool as the map does.
//! ```json
//! { "id": "open", "primitive": "actions.site", "args": { "mode": "call", "action": "cart.open", "arguments": {} } }
//! ```

use actions_protocol::limits;

use crate::compose::ExposedKind;
use crate::finding::Report;
use crate::rule::Rule;
use crate::view::Subject;
use crate::view::declared::{declared, unknown};
use crate::view::{CallGraph, literal};

pub(super) static RULE: Rule = Rule::error("W021", include_str!("w021_nested_call.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    let mut names = None;
    for args in subject.view.primitives.iter().filter(|used| used.calls_a_tool()).filter_map(|used| used.args)
    {
        if let Some(mode) = args.get("mode").filter(|mode| literal(*mode).is_some_and(|mode| mode != "call"))
        {
            let message = format!("a step cannot use the mode `{}`", mode.as_str().unwrap_or_default());
            report
                .find(&RULE, mode, message)
                .help("write `\"mode\": \"call\"`; the other modes are for callers");
        }
        let Some((action, name)) = args.get("action").and_then(|action| Some((action, literal(action)?)))
        else {
            continue;
        };
        let names = names.get_or_insert_with(|| declared(subject, ExposedKind::Tool));
        if !names.contains(name) {
            unknown(&RULE, "tool", name, names, action, report);
        }
    }
    let graph = CallGraph::of(subject.document, &subject.view.primitives);
    for (chain, at) in graph.circles() {
        let message = match chain.as_slice() {
            [tool, _] => format!("`{tool}` calls itself"),
            _ => format!("the calls go in a circle: {}", shown(&chain)),
        };
        report.find(&RULE, at, message).help("take one of the calls out");
    }
    for (chain, at) in graph.deeper_than(limits::CALL_DEPTH) {
        let message = format!("calls nest more than {} deep: {}", limits::CALL_DEPTH, shown(&chain));
        report.find(&RULE, at, message).help("call the inner tool directly");
    }
}

fn shown(chain: &[&str]) -> String {
    chain.iter().map(|tool| format!("`{tool}`")).collect::<Vec<_>>().join(" → ")
}
