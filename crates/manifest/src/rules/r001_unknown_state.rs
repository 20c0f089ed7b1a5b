//! A state that is referred to is declared.
//!
//! Transitions, context blocks, targets, checks, the diagnostics of other states, and the `auth_check` and `login_state`
//! of a map name states. A misspelt one would never be current, so the tool would always be refused, or the block never
//! shown.
//!
//! Breaks the rule:
//! ```json
//! { "name": "next", "from": "results_visble", "to": "results_visible", "tool": "results.next_page" }
//! ```
//!
//! Instead: declare the state in `states`, or correct the name.

use crate::compose::ExposedKind;
use crate::document::NodeId;
use crate::finding::Report;
use crate::model::{Target, TargetReference};
use crate::rule::Rule;
use crate::view::Subject;
use crate::view::declared::{declared, unknown};

pub(super) static RULE: Rule = Rule::error("R001", include_str!("r001_unknown_state.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    let names = declared(subject, ExposedKind::State);
    for (name, at) in references(subject) {
        if !names.contains(name) {
            unknown(&RULE, "state", name, &names, subject.document.node(at), report);
        }
    }
}

fn references<'s>(subject: &'s Subject<'_>) -> Vec<(&'s str, NodeId)> {
    let manifest = subject.manifest;
    let mut found = Vec::new();
    for transition in &manifest.transitions {
        found.extend(transition.from.0.iter().chain(&transition.to.0).map(|name| (name.as_str(), name.at)));
    }
    for context in &manifest.context {
        let when = context.load_when.as_ref();
        let states = when.into_iter().flat_map(|when| &when.states).chain(&context.next_states);
        found.extend(states.map(|name| (name.as_str(), name.at)));
        for target in when.into_iter().flat_map(|when| &when.targets) {
            found.extend(inline(target).and_then(state));
        }
    }
    found.extend(super::x008_login_state::named(manifest));
    for assertion in manifest.checks.iter().flat_map(|check| &check.assertions) {
        found.extend(assertion.state.as_ref().map(|name| (name.as_str(), name.at)));
        found.extend(assertion.target.as_ref().and_then(inline).and_then(state));
    }
    let drafts = manifest.tools.iter().filter_map(|tool| tool.x_actions.as_ref()?.execution.as_ref());
    let drafts = drafts.flat_map(|execution| &execution.steps).filter_map(|step| step.target.as_ref());
    let targets = manifest.tools.iter().filter_map(|tool| tool.target.as_ref()).chain(drafts);
    let targets = targets.chain(manifest.attachments.iter().map(|attachment| &attachment.target));
    let diagnostics = manifest.states().iter().flat_map(|state| &state.diagnostics);
    let targets = targets.chain(diagnostics.filter_map(|diagnostic| diagnostic.target.as_ref()));
    let targets = targets.chain(manifest.signals.iter().filter_map(|signal| signal.target.as_ref()));
    found.extend(targets.filter_map(state));
    found
}

fn state(target: &Target) -> Option<(&str, NodeId)> {
    target.state.as_ref().map(|name| (name.as_str(), name.at))
}

fn inline(target: &TargetReference) -> Option<&Target> {
    match target {
        TargetReference::Inline(target) => Some(target),
        TargetReference::Named(_) => None,
    }
}
