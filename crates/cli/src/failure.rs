//! Prints an error for people: message, step, position in the map, evidence, and what to do next.

use actions_dictionary::closest;
use actions_engine::{CallError, Place};
use actions_manifest::CheckedManifest;
use actions_manifest::document::Source;
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer};
use serde_json::Value;

use crate::findings::human::snippet;
use crate::hint::hint;
use crate::output::note;
use crate::text::{counted, line, short};

/// Context for printing an error.
#[derive(Clone, Copy, Default)]
pub(crate) struct Around<'a> {
    /// The map that the error is about.
    pub(crate) map: Option<&'a CheckedManifest>,
    /// The names in the request, by the evidence key that lists the existing ones.
    pub(crate) asked_for: &'a [(&'a str, &'a str)],
    /// Whether to print all evidence under its own keys.
    pub(crate) everything: bool,
}

/// The evidence that is printed, in this order, with its label.
const EVIDENCE: &[(&str, &str)] = &[
    ("reason", "because"),
    ("occluded_by", "covered by"),
    ("received_by", "received by"),
    ("dialog", "dialog"),
    ("condition", "condition"),
    ("last", "last attempt"),
    ("after_each", "after_each"),
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
    ("near", "similar"),
    ("key", "by"),
    ("document", "policy"),
    ("state", "policy is"),
    ("missing", "missing"),
    ("methods", "ways"),
    ("hand_over_url", "address"),
    ("terms_url", "terms"),
    ("retry_after_ms", "milliseconds to wait"),
    ("site_text", "the site says"),
];

/// The output of the last attempt is shortened to this many characters.
const MAX_LAST: usize = 300;

/// Evidence that is printed elsewhere.
const PRINTED_ELSEWHERE: &[&str] = &["errors", "hint", "policy"];

/// The evidence keys that list existing names, with the noun for them.
const NAMES: &[(&str, &str)] =
    &[("tools", "tools"), ("projections", "projections"), ("summaries", "summaries of this projection")];

/// Prints an error on standard error.
pub(crate) fn explain(error: &CallError, around: Around<'_>) {
    let title = Level::ERROR.primary_title(line(&error.message)).id(error.code.as_str());
    let mut group = Group::with_title(title);
    if let Some((source, place)) = around.map.zip(error.place()).and_then(|(map, place)| source(map, place)) {
        group = group.elements(snippet(source, place.span, AnnotationKind::Primary, None));
    }
    let words = notes(error, around.everything);
    for (word, what) in &words {
        group = group.element(Level::NOTE.with_name(*word).message(line(what)));
    }
    let more = format!("see `actions explain {}`", error.code);
    group = group
        .element(Level::HELP.message(line(&help(error, around.asked_for))))
        .element(Level::NOTE.with_name("code").message(more));
    note(Renderer::styled().decor_style(DecorStyle::Unicode).render(&[group]));
}

/// Returns the notes below the message, each with its label.
fn notes(error: &CallError, everything: bool) -> Vec<(&str, String)> {
    let mut notes = Vec::new();
    if let Some(step) = &error.step {
        notes.push(("step", format!("{} ({})", step.id, step.primitive)));
    }
    if let Some(cause) = &error.cause {
        notes.push(("cause", format!("{} ({})", cause.message, cause.code)));
    }
    // The message already contains the first one.
    let faults = error.evidence.get("errors").and_then(Value::as_array).into_iter().flatten().skip(1);
    notes.extend(faults.map(|fault| ("also", schema_error(fault))));
    match everything {
        true => notes.extend(error.evidence.iter().filter_map(|(key, value)| {
            let shown = !PRINTED_ELSEWHERE.contains(&key.as_str()) && !is_nothing(value);
            shown.then(|| match key.as_str() {
                "near" => ("similar", brief(value)),
                key => (key, text(value)),
            })
        })),
        false => notes.extend(EVIDENCE.iter().filter_map(|(key, word)| {
            let value = error.evidence.get(*key).filter(|value| !is_nothing(value))?;
            let text = match *key {
                // The cause is printed already.
                "last" => short(&value.get("output")?.to_string(), MAX_LAST),
                "after_each" => after_each(value),
                _ => brief(value),
            };
            Some((*word, text))
        })),
    }
    if error.mutated {
        notes.push(("changed", "the call may already have changed something on the site".to_owned()));
    }
    notes
}

fn source<'m, 'p>(map: &'m CheckedManifest, place: &'p Place) -> Option<(&'m Source, &'p Place)> {
    let mut sources = map.parts().iter().map(|part| &**part.document().source());
    sources.find(|source| source.name() == place.map).map(|source| (source, place))
}

/// Formats a schema error, after its path if it is not about the whole value.
fn schema_error(fault: &Value) -> String {
    match fault["path"].as_str() {
        None | Some("") => text(&fault["message"]),
        Some(path) => format!("{path}: {}", text(&fault["message"])),
    }
}

/// Formats evidence briefly: the label of an element, its role and name, the items of a list, else JSON.
fn brief(value: &Value) -> String {
    match value {
        Value::Object(object) => match object.get("target_label").or(object.get("message")) {
            Some(Value::String(label)) => label.clone(),
            _ => role_and_name(value).unwrap_or_else(|| value.to_string()),
        },
        Value::Array(items) => items.iter().map(brief).collect::<Vec<_>>().join(", "),
        _ => text(value),
    }
}

/// Formats the failures of `after_each`.
fn after_each(failures: &Value) -> String {
    let times = failures["failed"].as_u64().and_then(|times| usize::try_from(times).ok()).unwrap_or_default();
    let error = &failures["error"];
    format!(
        "failed {}, at last: {} ({})",
        counted(times, "time"),
        text(&error["message"]),
        text(&error["code"])
    )
}

/// Formats an element that is described by nothing but its role and name.
fn role_and_name(element: &Value) -> Option<String> {
    let object = element.as_object().filter(|object| object.len() == 2)?;
    Some(format!("{} `{}`", object.get("role")?.as_str()?, object.get("name")?.as_str()?))
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The path of an address; the address itself if it has none.
fn path(url: &str) -> &str {
    let path = url.split_once("://").and_then(|(_, rest)| rest.find('/').map(|at| &rest[at..]));
    path.and_then(|path| path.split(['?', '#']).next()).unwrap_or(url)
}

fn is_nothing(value: &Value) -> bool {
    value.is_null() || value.as_array().is_some_and(Vec::is_empty)
}

fn help(error: &CallError, asked_for: &[(&str, &str)]) -> String {
    if let Some(hint) = error.evidence.get("hint").and_then(Value::as_str) {
        return hint.to_owned();
    }
    if let Some(from) = error.evidence.get("redirected_from").and_then(Value::as_str) {
        let to = error.evidence.get("url").map(text).unwrap_or_default();
        return format!(
            "the page went to {} instead of {}; sign in first if that is why, or pass another address with `--url`",
            path(&to),
            path(from)
        );
    }
    let known =
        NAMES.iter().find_map(|(key, noun)| Some((*key, error.evidence.get(*key)?.as_array()?, *noun)));
    if let Some((key, names, noun)) = known {
        let names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
        let asked_for = asked_for.iter().find(|(of, _)| *of == key);
        return match asked_for.and_then(|(_, name)| closest(name, names.iter().copied())) {
            Some(near) => format!("did you mean `{near}`?"),
            None if noun == "tools" => "`actions list MAP` lists the tools".to_owned(),
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
