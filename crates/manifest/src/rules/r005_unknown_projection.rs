//! A projection that is referred to is declared.
//!
//! A postcondition reads a projection again after a tool ran, a check may ask for one, and a step with `state.read` reads
//! one. Without the projection the postcondition could never hold, and the step always fails.
//!
//! Breaks the rule:
//! ```json
//! { "postcondition": { "projection": "site.crat", "verify": { "language": "jsonata", "expression": "state.count > 0" } } }
//! ```
//!
//! Instead: declare the projection in `state_projections`, or correct the name. In a tool, `projection` must be said.

use crate::compose::ExposedKind;
use crate::document::Spot;
use crate::finding::Report;
use crate::rule::Rule;
use crate::view::declared::{declared, unknown};
use crate::view::{Subject, UsedAs, literal};

pub(super) static RULE: Rule = Rule::error("R005", include_str!("r005_unknown_projection.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    let names = declared(subject, ExposedKind::Projection);
    let tools = subject.manifest.tools.iter().filter_map(|tool| tool.postcondition.as_ref());
    for postcondition in tools.clone().filter(|postcondition| postcondition.projection.is_none()) {
        let at = Spot::Key(subject.document.node(postcondition.at));
        report.find(&RULE, at, "the postcondition names no projection").help("add `\"projection\"`");
    }
    let listed = subject.manifest.state_projections.iter();
    let listed = listed
        .flat_map(|projection| projection.postconditions.iter().map(|(_, postcondition)| postcondition));
    let postconditions = tools.chain(listed).filter_map(|postcondition| postcondition.projection.as_ref());
    let assertions = subject.manifest.checks.iter().flat_map(|check| &check.assertions);
    let checks = assertions.filter_map(|assertion| assertion.projection.as_ref());
    let reads = subject.view.primitives.iter().filter(|used| {
        used.used_as != UsedAs::Opens && used.primitive().is_some_and(|primitive| primitive.reads_state)
    });
    for at in reads.filter_map(|used| used.args?.get("projection")) {
        if let Some(name) = literal(at).filter(|name| !names.contains(*name)) {
            unknown(&RULE, "state projection", name, &names, at, report);
        }
    }
    for name in postconditions.chain(checks).filter(|name| !names.contains(name.as_str())) {
        unknown(&RULE, "state projection", name, &names, subject.document.node(name.at), report);
    }
}
