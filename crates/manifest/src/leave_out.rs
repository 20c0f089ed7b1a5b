//! The lenient profile: a defect costs the part it is in, never the whole map.
//!
//! Every error inside a part turns into one warning that names the part and says that it is left out. What stays an
//! error concerns the map as a whole: its JSON, `protocol` and `tools`.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::compose::Composition;
use crate::document::{Document, Source};
use crate::finding::{Finding, Report};
use crate::lower::subject;
use crate::model::{Manifest, Markers};
use crate::rule::Severity;

/// Leaves out of the composition every part that has errors, and reports each of them once.
pub(crate) fn leave_out(composition: &mut Composition, report: &mut Report) {
    for part in composition.parts_mut() {
        let document = Arc::clone(&part.document);
        let left_out = settle(&document, part.importer.is_some(), report);
        if let Some(manifest) = &mut part.manifest {
            left_out.iter().for_each(|pointer| remove(manifest, &document, pointer));
        }
        if left_out.iter().any(String::is_empty) {
            part.manifest = None;
        }
    }
}

/// Turns the errors of one map into one warning for each part they are in; returns the pointers of these parts.
fn settle(document: &Document, imported: bool, report: &mut Report) -> Vec<String> {
    let here = |finding: &Finding| std::ptr::eq::<Source>(&*finding.source, &**document.source());
    let mut parts: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (number, finding) in report.findings().iter().enumerate() {
        if finding.severity != Severity::Error || !here(finding) {
            continue;
        }
        if let Some(part) = part_of(document, finding, imported) {
            parts.entry(part).or_default().push(number);
        }
    }
    // What else is said about a part that is left out helps only its author, who sees it in the strict profile.
    let is_in = |finding: &Finding, part: &str| {
        here(finding)
            && finding.pointer.strip_prefix(part).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let mut superfluous = Vec::new();
    for (pointer, errors) in &parts {
        let (first, others) = errors.split_first().expect("a part is listed because of an error");
        let what = name_of(document, pointer);
        let finding = report.finding_mut(*first);
        let more = match others.len() {
            0 => String::new(),
            1 => "; it has 1 more error".to_owned(),
            many => format!("; it has {many} more errors"),
        };
        finding.severity = Severity::Warning;
        finding.message = format!("{what} is left out: {}{more}", finding.message);
        superfluous.extend(
            (0..report.findings().len())
                .filter(|number| number != first && is_in(&report.findings()[*number], pointer)),
        );
    }
    report.remove(&superfluous);
    parts.into_keys().collect()
}

/// The sections whose elements are parts of their own.
const LISTS: &[&str] = &[
    "tools",
    "state_projections",
    "attachments",
    "signals",
    "checks",
    "context",
    "states",
    "transitions",
    "imports",
];

/// The pointer of the part that a finding is in; none if the whole map is unusable.
fn part_of(document: &Document, finding: &Finding, imported: bool) -> Option<String> {
    let keys: Vec<&str> = finding.pointer.split('/').skip(1).collect();
    let length = match keys.as_slice() {
        // An imported map that cannot be used is left out as a whole.
        [] | ["protocol" | "tools"] => return imported.then(String::new),
        ["tools", _, "postcondition", ..] => 3,
        ["state_projections", _, "postconditions", _, ..] => 4,
        ["state_projections", _, "postconditions"] => 3,
        ["state_projections", _, "summaries" | "markers", _, ..] => 4,
        ["state_projections", _, "markers"] => 3,
        ["x_actions", "files", _, ..] => 3,
        ["x_actions", "auth_check" | "login_state"] => 2,
        [section, _, ..] if LISTS.contains(section) => 2,
        [_, ..] => 1,
    };
    let pointer: String = keys[..length].iter().map(|key| format!("/{key}")).collect();
    document.root().at(&pointer).map(|_| pointer)
}

/// Names a part for a sentence.
fn name_of(document: &Document, pointer: &str) -> String {
    let Some(node) = document.root().at(pointer).filter(|_| !pointer.is_empty()) else {
        return "the imported map".to_owned();
    };
    let keys: Vec<&str> = pointer.split('/').skip(1).collect();
    let owner = || node.parent().map(subject).unwrap_or_default();
    let named = || subject(node);
    match keys.as_slice() {
        ["tools", _] => format!("the tool {}", named()),
        ["tools", _, _] => format!("the postcondition of {}", owner()),
        ["state_projections", _] => format!("the state projection {}", named()),
        ["state_projections", _, "postconditions", tool] => format!("the postcondition of `{tool}`"),
        ["state_projections", _, section] => format!("`{section}` of {}", owner()),
        ["state_projections", _, "summaries", _] => format!("the summary {}", named()),
        ["state_projections", _, "markers", _] => format!("the marker {}", named()),
        ["x_actions", "files", _] => format!("the file {}", named()),
        ["x_actions", key] => format!("`{key}`"),
        ["attachments", _] => format!("the attachment {}", named()),
        ["signals", _] => format!("the signal {}", named()),
        ["checks", _] => format!("the check {}", named()),
        ["context", _] => format!("the context block {}", named()),
        ["states", _] => format!("the state {}", named()),
        ["transitions", _] => format!("the transition {}", named()),
        ["imports", _] => format!("the import {}", named()),
        _ => format!("the section {}", named()),
    }
}

/// Takes one part out of the model. Parts that could not be read are not in it.
fn remove(manifest: &mut Manifest, document: &Document, pointer: &str) {
    let is = |at| document.node(at).pointer() == pointer;
    let keys: Vec<&str> = pointer.split('/').skip(1).collect();
    match keys.as_slice() {
        ["tools", _] => manifest.tools.retain(|tool| !is(tool.at)),
        ["tools", _, _] => {
            for tool in &mut manifest.tools {
                tool.postcondition.take_if(|postcondition| is(postcondition.at));
            }
        }
        ["state_projections", _] => manifest.state_projections.retain(|one| !is(one.at)),
        ["state_projections", _, ..] => {
            for projection in &mut manifest.state_projections {
                projection.postconditions.retain(|(_, postcondition)| !is(postcondition.at));
                projection.summaries.retain(|summary| !is(summary.at));
                if let Some(Markers::List(markers)) = &mut projection.markers {
                    markers.retain(|marker| !is(marker.at));
                }
            }
        }
        ["attachments", _] => manifest.attachments.retain(|one| !is(one.at)),
        ["signals", _] => manifest.signals.retain(|one| !is(one.at)),
        ["checks", _] => manifest.checks.retain(|one| !is(one.at)),
        ["context", _] => manifest.context.retain(|one| !is(one.at)),
        ["states", _] => {
            if let Some(states) = manifest.states.as_mut().and_then(|states| states.0.as_mut()) {
                states.0.retain(|one| !is(one.at));
            }
        }
        ["transitions", _] => manifest.transitions.retain(|one| !is(one.at)),
        ["x_actions", "files", _] => {
            if let Some(x_actions) = &mut manifest.x_actions {
                x_actions.files.retain(|file| !is(file.at));
            }
        }
        ["x_actions", _] => {
            if let Some(x_actions) = &mut manifest.x_actions {
                x_actions.auth_check.take_if(|state| is(state.at));
                x_actions.login_state.take_if(|state| is(state.at));
            }
        }
        ["surface"] => manifest.surface = None,
        ["scope"] => manifest.scope = None,
        ["requires"] => manifest.requires = None,
        ["composition"] => manifest.composition = None,
        ["provenance"] => manifest.provenance = None,
        ["x_actions"] => manifest.x_actions = None,
        // Other sections that have errors were not read at all.
        _ => {}
    }
}
