//! The lenient profile: a defect costs the part it is in, never the whole map.
//!
//! Every error inside a part turns into one warning that names the part and says that it is left out. What stays an
//! error concerns the map as a whole: its JSON, `protocol` and `tools`.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use crate::compose::Composition;
use crate::document::{Document, Node, NodeId, Source};
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
            remove(manifest, &document, &left_out);
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
    let firsts: HashSet<usize> = parts.values().filter_map(|errors| errors.first().copied()).collect();
    let is_in_a_part = |finding: &Finding| above(&finding.pointer).any(|pointer| parts.contains_key(pointer));
    let superfluous: HashSet<usize> = report
        .findings()
        .iter()
        .enumerate()
        .filter(|(number, finding)| !firsts.contains(number) && here(finding) && is_in_a_part(finding))
        .map(|(number, _)| number)
        .collect();
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
        finding.left_out = true;
        finding.message = format!("{what} is left out: {}{more}", finding.message);
    }
    report.remove(&superfluous);
    parts.into_keys().collect()
}

/// A pointer and the pointers of everything around it that can be a part.
fn above(pointer: &str) -> impl Iterator<Item = &str> {
    let ends = pointer.match_indices('/').map(|(at, _)| at).take(MOST_KEYS + 1);
    ends.map(|end| &pointer[..end]).chain(std::iter::once(pointer))
}

/// The pointer of a part has at most this many keys.
const MOST_KEYS: usize = 4;

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

/// Takes parts out of the model. Parts that could not be read are not in it.
fn remove(manifest: &mut Manifest, document: &Document, pointers: &[String]) {
    let nodes = pointers.iter().filter_map(|pointer| document.root().at(pointer));
    let nodes: HashSet<NodeId> = nodes.map(Node::id).collect();
    let stays = |at| !nodes.contains(&at);
    manifest.tools.retain(|tool| stays(tool.at));
    for tool in &mut manifest.tools {
        tool.postcondition.take_if(|postcondition| !stays(postcondition.at));
    }
    manifest.state_projections.retain(|one| stays(one.at));
    for projection in &mut manifest.state_projections {
        projection.postconditions.retain(|(_, postcondition)| stays(postcondition.at));
        projection.summaries.retain(|summary| stays(summary.at));
        if let Some(Markers::List(markers)) = &mut projection.markers {
            markers.retain(|marker| stays(marker.at));
        }
    }
    manifest.attachments.retain(|one| stays(one.at));
    manifest.signals.retain(|one| stays(one.at));
    manifest.checks.retain(|one| stays(one.at));
    manifest.context.retain(|one| stays(one.at));
    if let Some(states) = manifest.states.as_mut().and_then(|states| states.0.as_mut()) {
        states.0.retain(|one| stays(one.at));
    }
    manifest.transitions.retain(|one| stays(one.at));
    if let Some(x_actions) = &mut manifest.x_actions {
        x_actions.files.retain(|file| stays(file.at));
        x_actions.auth_check.take_if(|state| !stays(state.at));
        x_actions.login_state.take_if(|state| !stays(state.at));
    }
    for pointer in pointers {
        match pointer.as_str() {
            "/surface" => manifest.surface = None,
            "/scope" => manifest.scope = None,
            "/requires" => manifest.requires = None,
            "/composition" => manifest.composition = None,
            "/provenance" => manifest.provenance = None,
            "/x_actions" => manifest.x_actions = None,
            // Other sections that have errors were not read at all.
            _ => {}
        }
    }
}
