//! Tells a person why a command failed: the sentence, the step, its place in the map, what was seen, what to do next.

use actions_engine::{CallError, Place};
use actions_manifest::CheckedManifest;
use actions_manifest::document::Source;
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer};
use serde_json::Value;

use crate::findings::human::snippet;
use crate::hint::hint;
use crate::output::note;
use crate::text::{closest, visible};

/// What is known around a failure.
#[derive(Clone, Copy, Default)]
pub(crate) struct Around<'a> {
    /// The map it is about.
    pub(crate) map: Option<&'a CheckedManifest>,
    /// The names that were asked for, by the evidence that holds those there are.
    pub(crate) asked_for: &'a [(&'a str, &'a str)],
    /// Whether all of the evidence is shown, in the words of the primitive.
    pub(crate) everything: bool,
}

/// What is shown of the evidence, in this order, and the word for it.
const EVIDENCE: &[(&str, &str)] = &[
    ("reason", "because"),
    ("occluded_by", "covered by"),
    ("received_by", "received by"),
    ("dialog", "dialog"),
    ("condition", "condition"),
    ("required", "needs the state"),
    ("current", "current states"),
    ("waiting", "waiting for"),
    ("last_seen", "last seen"),
    ("saw", "last seen"),
    ("missing_required_fields", "missing"),
    ("item_index", "item"),
    ("inner_step", "inner step"),
    ("url", "page"),
    ("url_matches", "applies to"),
    ("address", "address"),
    ("by", "by"),
    ("nearest", "nearest"),
];

/// Evidence that is told in a way of its own.
const TOLD_APART: &[&str] = &["errors", "hint", "policy"];

/// The names a caller may have meant, by the evidence that holds them.
const NAMES: &[(&str, &str)] =
    &[("tools", "tools"), ("projections", "projections"), ("summaries", "summaries of this projection")];

/// Explains a failure on standard error.
pub(crate) fn explain(error: &CallError, around: Around<'_>) {
    let title = Level::ERROR.primary_title(visible(&error.message)).id(error.code.as_str());
    let mut group = Group::with_title(title);
    if let Some((source, place)) = around.map.zip(error.place()).and_then(|(map, place)| source(map, place)) {
        group = group.element(snippet(source, place.span, AnnotationKind::Primary, None));
    }
    let words = notes(error, around.everything);
    for (word, what) in &words {
        group = group.element(Level::NOTE.with_name(*word).message(visible(what)));
    }
    let more = format!("`actions explain {}` tells more", error.code);
    group = group
        .element(Level::HELP.message(visible(&help(error, around.asked_for))))
        .element(Level::NOTE.with_name("code").message(more));
    note(Renderer::styled().decor_style(DecorStyle::Unicode).render(&[group]));
}

/// What else is known, each with a word for it.
fn notes(error: &CallError, everything: bool) -> Vec<(&str, String)> {
    let mut notes = Vec::new();
    if let Some(step) = &error.step {
        notes.push(("step", format!("{} ({})", step.id, step.primitive)));
    }
    if let Some(cause) = &error.cause {
        notes.push(("cause", format!("{} ({})", cause.message, cause.code)));
    }
    // The first one is in the sentence.
    let faults = error.evidence.get("errors").and_then(Value::as_array).into_iter().flatten().skip(1);
    notes.extend(faults.map(|fault| ("also", told(fault))));
    match everything {
        true => notes.extend(error.evidence.iter().filter_map(|(key, value)| {
            let shown = !TOLD_APART.contains(&key.as_str()) && !is_nothing(value);
            shown.then(|| (key.as_str(), text(value)))
        })),
        false => notes.extend(EVIDENCE.iter().filter_map(|(key, word)| {
            let value = error.evidence.get(*key).filter(|value| !is_nothing(value))?;
            Some((*word, seen(value)))
        })),
    }
    if error.mutated {
        notes.push(("changed", "something on the site may already have been changed".to_owned()));
    }
    notes
}

fn source<'m, 'p>(map: &'m CheckedManifest, place: &'p Place) -> Option<(&'m Source, &'p Place)> {
    let mut sources = map.parts().iter().map(|part| &**part.document().source());
    sources.find(|source| source.name() == place.map).map(|source| (source, place))
}

/// What does not fit, after the place of it if it is not the whole.
fn told(fault: &Value) -> String {
    match fault["path"].as_str() {
        None | Some("") => text(&fault["message"]),
        Some(path) => format!("{path}: {}", text(&fault["message"])),
    }
}

/// Evidence in a few words: what an element is called, the items of a list, else the JSON.
fn seen(value: &Value) -> String {
    match value {
        Value::Object(object) => match object.get("target_label").or(object.get("message")) {
            Some(Value::String(label)) => label.clone(),
            _ => value.to_string(),
        },
        Value::Array(items) => items.iter().map(text).collect::<Vec<_>>().join(", "),
        _ => text(value),
    }
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn is_nothing(value: &Value) -> bool {
    value.is_null() || value.as_array().is_some_and(Vec::is_empty)
}

fn help(error: &CallError, asked_for: &[(&str, &str)]) -> String {
    if let Some(hint) = error.evidence.get("hint").and_then(Value::as_str) {
        return hint.to_owned();
    }
    let known =
        NAMES.iter().find_map(|(key, noun)| Some((*key, error.evidence.get(*key)?.as_array()?, *noun)));
    if let Some((key, names, noun)) = known {
        let names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
        let asked_for = asked_for.iter().find(|(of, _)| *of == key);
        return match asked_for.and_then(|(_, name)| closest(name, names.iter().copied())) {
            Some(near) => format!("did you mean `{near}`?"),
            None if noun == "tools" => "`actions list MAP` shows the tools".to_owned(),
            None if names.is_empty() => format!("there are no {noun}"),
            None => format!("the {noun}: {}", names.join(", ")),
        };
    }
    let summaries = error.evidence.get("available_summaries").and_then(Value::as_array);
    if let Some(summaries) = summaries.filter(|summaries| !summaries.is_empty()) {
        let names: Vec<&str> = summaries.iter().filter_map(|one| one["name"].as_str()).collect();
        return format!("read a summary instead: {}", names.join(", "));
    }
    hint(error).to_owned()
}
