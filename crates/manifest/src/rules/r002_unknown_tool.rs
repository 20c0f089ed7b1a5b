//! A tool that is referred to is declared.
//!
//! Context blocks, transitions, checks, postconditions, attachments and the tools that depend on others name tools. An attachment may also open a
//! primitive, such as `overlay.open`.
//!
//! Breaks the rule:
//! ```json
//! { "id": "search.help", "body": "Submit a query first.", "available_tools": ["search.submitt"] }
//! ```
//!
//! Instead: declare the tool, or correct the name.

use actions_dictionary::Dictionary;

use crate::compose::ExposedKind;
use crate::finding::Report;
use crate::rule::Rule;
use crate::view::Subject;
use crate::view::declared::{declared, unknown};

pub(super) static RULE: Rule = Rule::error("R002", include_str!("r002_unknown_tool.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    let manifest = subject.manifest;
    let names = declared(subject, ExposedKind::Tool);
    let contexts = manifest.context.iter().flat_map(|context| &context.available_tools);
    let transitions = manifest.transitions.iter().filter_map(|transition| transition.tool.as_ref());
    let checks = manifest
        .checks
        .iter()
        .flat_map(|check| &check.assertions)
        .filter_map(|assertion| assertion.tool.as_ref());
    let projections =
        manifest.state_projections.iter().flat_map(|p| p.postconditions.iter().map(|(tool, _)| tool));
    let needed = manifest
        .tools
        .iter()
        .filter_map(|tool| tool.x_actions.as_ref())
        .flat_map(|x_actions| &x_actions.depends_on);
    for name in contexts.chain(transitions).chain(checks).chain(projections).chain(needed) {
        if !names.contains(name.as_str()) {
            unknown(&RULE, "tool", name, &names, subject.document.node(name.at), report);
        }
    }
    for attachment in &manifest.attachments {
        let Some(opens) = attachment.affordance.as_ref().and_then(|affordance| affordance.opens.as_ref())
        else {
            continue;
        };
        let name = opens.tool.as_str();
        if !names.contains(name) && !Dictionary::builtin().contains(name) {
            unknown(&RULE, "tool or primitive", name, &names, subject.document.node(opens.tool.at), report);
        }
    }
}
