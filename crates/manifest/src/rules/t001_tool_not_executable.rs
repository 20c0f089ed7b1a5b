//! A tool can be performed.
//!
//! It has, in this order of preference, `x_actions.static_output`, a `workflow`, `x_actions.execution.steps`, or
//! `x_actions.handler`. A tool with none of them would be offered to agents and could never run.
//!
//! Breaks the rule:
//! ```json
//! { "name": "search.submit", "description": "Submits the search form.", "input_schema": { "type": "object" } }
//! ```
//!
//! Instead: add a `workflow` that performs it.

use crate::finding::Report;
use crate::rule::Rule;
use crate::view::Subject;

pub(super) static RULE: Rule = Rule::error("T001", include_str!("t001_tool_not_executable.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for tool in &subject.manifest.tools {
        let node = subject.document.node(tool.at);
        let x_actions = node.get("x_actions");
        let steps = x_actions.and_then(|x| x.get("execution")).and_then(|execution| execution.get("steps"));
        let performed = node.get("workflow").is_some()
            || x_actions.is_some_and(|x| x.get("static_output").is_some() || x.get("handler").is_some())
            || steps.is_some_and(|steps| steps.elements().len() > 0);
        if !performed {
            report
                .find(&RULE, subject.document.node(tool.name.at), format!("nothing performs the tool `{}`", *tool.name))
                .help("add a `workflow`, or an `x_actions` with `static_output`, `execution.steps` or `handler`");
        }
    }
}
