//! What a call changed in the state of a projection.

use actions_engine::{EventKind, Trace};
use serde_json::Value;

use super::super::html::Html;
use super::events;

/// The most changes that are shown.
const MAX_CHANGES: usize = 200;

/// Writes the changes that the trace recorded.
pub(super) fn write(html: &mut Html, trace: &Trace) {
    for (_, event) in events(trace) {
        let EventKind::StateChanged { projection, diff } = &event.kind else { continue };
        html.raw("<h3>State of <code>").text(projection).raw("</code></h3>");
        let deltas =
            diff.get("semantic_deltas").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        if deltas.is_empty() {
            html.element("p class=hush", "nothing changed");
            continue;
        }
        html.raw("<ul class=\"plain changes\">");
        deltas.iter().take(MAX_CHANGES).for_each(|delta| change(html, delta));
        if deltas.len() > MAX_CHANGES {
            html.raw("<li>… ").text(deltas.len() - MAX_CHANGES).raw(" more</li>");
        }
        html.raw("</ul>");
    }
}

fn change(html: &mut Html, delta: &Value) {
    let entity = |entity: &Value| {
        let part = |key: &str| match entity.get(key) {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Null) | None => String::new(),
            Some(other) => other.to_string(),
        };
        let (kind, name, id) = (part("kind"), part("name"), part("id"));
        let name = if name.is_empty() { name } else { format!(" “{name}”") };
        let id = if id.is_empty() { id } else { format!(" ({id})") };
        format!("{kind}{name}{id}")
    };
    let it = entity(&delta["entity"]);
    match delta["type"].as_str().unwrap_or_default() {
        "entity_added" => {
            html.raw("<li class=added><b>+</b> ").text(it).raw(" <span class=hush>in ");
            html.text(entity(&delta["in"])).raw("</span></li>");
        }
        "entity_removed" => {
            html.raw("<li class=removed><b>−</b> ").text(it).raw(" <span class=hush>from ");
            html.text(entity(&delta["in"])).raw("</span></li>");
        }
        "entity_moved" => {
            html.raw("<li class=moved><b>→</b> ").text(it).raw(" <span class=hush>from ");
            html.text(entity(&delta["before"]["in"])).raw(" to ").text(entity(&delta["after"]["in"]));
            html.raw("</span></li>");
        }
        _ => {
            html.raw("<li class=changed><b>~</b> ").text(it).raw(" <code>");
            html.text(delta["field"].as_str().unwrap_or_default()).raw("</code> <del>");
            html.text(shown(&delta["before"]))
                .raw("</del> → <ins>")
                .text(shown(&delta["after"]))
                .raw("</ins></li>");
        }
    }
}

fn shown(value: &Value) -> String {
    let text = if value.is_null() { "nothing".to_owned() } else { value.to_string() };
    text.chars().take(200).collect()
}
