//! A binding belongs to a handler.
//!
//! `x_actions.binding.arguments` are fixed arguments of the handler. Without a handler they have no effect.
//!
//! Breaks the rule:
//! ```json
//! { "x_actions": { "static_output": {}, "binding": { "arguments": { "selector": "main" } } } }
//! ```
//!
//! Instead: name the handler, or take the arguments out.

use crate::document::Spot;
use crate::finding::Report;
use crate::rule::Rule;
use crate::view::Subject;

pub(super) static RULE: Rule = Rule::warning("T008", include_str!("t008_binding_without_handler.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for tool in &subject.manifest.tools {
        let Some(x_actions) = &tool.x_actions else { continue };
        let Some(binding) = &x_actions.binding else { continue };
        if binding.arguments.is_some() && x_actions.handler.is_none() {
            let node = subject.document.node(binding.at);
            let at = node.get("arguments").unwrap_or(node);
            report
                .find(&RULE, Spot::Key(at), format!("`{}` binds arguments but has no handler", *tool.name))
                .help("name the `handler`, or take the arguments out");
        }
    }
}
