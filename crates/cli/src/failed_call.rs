//! Tells a person why a call failed: the sentence, the step, its place in the map, what was seen, what to do next.

use actions_engine::{CallError, Engine, Place};
use actions_manifest::document::Source;
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer};
use serde_json::Value;

use crate::findings::human::snippet;
use crate::output::note;
use crate::text::{closest, visible};

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
    ("by", "by"),
    ("nearest", "nearest"),
    ("hint", "hint"),
];

/// The names a caller may have meant, by the evidence that holds them.
const NAMES: &[(&str, &str)] =
    &[("tools", "tools"), ("projections", "projections"), ("summaries", "summaries of this projection")];

/// Explains a failure on standard error.
pub(crate) fn explain(engine: &Engine, asked_for: &str, error: &CallError) {
    let title = Level::ERROR.primary_title(visible(&error.message)).id(error.code.as_str());
    let mut group = Group::with_title(title);
    if let Some((source, span)) = error.place().and_then(|place| Some((source(engine, place)?, place.span))) {
        group = group.element(snippet(source, span, AnnotationKind::Primary, None));
    }
    for (word, what) in notes(error) {
        group = group.element(Level::NOTE.with_name(word).message(visible(&what)));
    }
    let more = format!("`actions explain {}` tells more", error.code);
    group = group
        .element(Level::HELP.message(visible(&help(asked_for, error))))
        .element(Level::NOTE.with_name("code").message(more));
    note(Renderer::styled().decor_style(DecorStyle::Unicode).render(&[group]));
}

/// What else is known, each with a word for it.
fn notes(error: &CallError) -> Vec<(&'static str, String)> {
    let mut notes = Vec::new();
    if let Some(step) = &error.step {
        notes.push(("step", format!("{} ({})", step.id, step.primitive)));
    }
    if let Some(cause) = &error.cause {
        notes.push(("cause", format!("{} ({})", cause.message, cause.code)));
    }
    let faults = error.evidence.get("errors").and_then(Value::as_array).into_iter().flatten();
    let faults = faults.skip(1).map(|fault| format!("{} {}", text(&fault["path"]), text(&fault["message"])));
    notes.extend(faults.map(|fault| ("also", fault)));
    for (key, word) in EVIDENCE {
        let value = error.evidence.get(*key).filter(|value| !is_nothing(value));
        notes.extend(value.map(|value| (*word, seen(value))));
    }
    if error.mutated {
        notes.push(("changed", "something on the site may already have been changed".to_owned()));
    }
    notes
}

fn source<'e>(engine: &'e Engine, place: &Place) -> Option<&'e Source> {
    let parts = engine.manifest().parts().iter();
    parts.map(|part| &**part.document().source()).find(|source| source.name() == place.map)
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

fn help(asked_for: &str, error: &CallError) -> String {
    let known = NAMES.iter().find_map(|(key, noun)| Some((error.evidence.get(*key)?.as_array()?, *noun)));
    if let Some((names, noun)) = known {
        let names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
        return match closest(asked_for, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if noun == "tools" => "`actions list MAP` shows the tools".to_owned(),
            None => format!("the {noun} are {}", names.join(", ")),
        };
    }
    let summaries = error.evidence.get("available_summaries").and_then(Value::as_array);
    if let Some(summaries) = summaries.filter(|summaries| !summaries.is_empty()) {
        let names: Vec<&str> = summaries.iter().filter_map(|one| one["name"].as_str()).collect();
        return format!("read a summary instead: {}", names.join(", "));
    }
    error.safe_recovery().to_owned()
}
