//! A target that is referred to by name exists.
//!
//! Where a check or a context block gives a target as a string, the string names a tool or an attachment that has a
//! `target` of its own.
//!
//! Breaks the rule:
//! ```json
//! { "assertions": [{ "target": "search_form", "visible": true }] }
//! ```
//!
//! Instead: name a tool or attachment that has a target, or write the target out.
//! ```json
//! { "assertions": [{ "target": { "selector": "form[role='search']" }, "visible": true }] }
//! ```

use std::collections::BTreeSet;

use crate::document::Node;
use crate::finding::Report;
use crate::model::TargetReference;
use crate::rule::Rule;
use crate::view::Subject;
use crate::view::declared::unknown;

pub(super) static RULE: Rule = Rule::error("R006", include_str!("r006_unknown_target.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    let root = subject.document.root();
    let names: BTreeSet<String> = [("tools", "name"), ("attachments", "id")]
        .iter()
        .flat_map(|(section, key)| {
            let elements = root.get(section).into_iter().flat_map(Node::elements);
            elements
                .filter(|element| element.get("target").is_some())
                .filter_map(|element| element.get(key)?.as_str())
        })
        .map(str::to_owned)
        .collect();
    let contexts = subject.manifest.context.iter().filter_map(|context| context.load_when.as_ref());
    let contexts = contexts.flat_map(|when| &when.targets);
    let checks = subject.manifest.checks.iter().flat_map(|check| &check.assertions);
    let checks = checks.filter_map(|assertion| assertion.target.as_ref());
    for target in contexts.chain(checks) {
        match target {
            TargetReference::Named(name) if !names.contains(name.as_str()) => {
                unknown(
                    &RULE,
                    "tool or attachment with a target called",
                    name,
                    &names,
                    subject.document.node(name.at),
                    report,
                );
            }
            TargetReference::Named(_) | TargetReference::Inline(_) => {}
        }
    }
}
