//! Renders a state diff as lines for people.

use actions_engine::{Baseline, Delta, Entity, EntityPlace, Secrets, StateDiff};
use clap::builder::styling::{AnsiColor, Style};
use serde_json::Value;

use crate::text::{counted, line as one_line, short, visible};

/// Values longer than this many characters are shortened.
const MAX_SHOWN: usize = 120;

const ADDED: Style = AnsiColor::Green.on_default();
const REMOVED: Style = AnsiColor::Red.on_default();
const MOVED: Style = AnsiColor::Cyan.on_default();
const CHANGED: Style = AnsiColor::Yellow.on_default();

/// Returns one line per change, with colours. The caller strips colours where they are not wanted.
pub(crate) fn lines(diff: &StateDiff) -> Vec<String> {
    let name = &diff.observation.projection;
    if diff.baseline == Baseline::Initialized {
        return vec![format!("{name}: no baseline to compare with; this state is the baseline from now on")];
    }
    let since = diff.previous_observed_at.as_ref().map(|then| format!(" since {}", then.as_str()));
    let since = since.unwrap_or_default();
    let deltas = &diff.diff.semantic_deltas;
    if deltas.is_empty() {
        return vec![format!("{name}: nothing changed{since}")];
    }
    let heading = format!("{name}: {}{since}", counted(deltas.len(), "change"));
    std::iter::once(heading).chain(deltas.iter().map(line)).collect()
}

/// Returns the diff with every secret masked in its semantic deltas.
pub(crate) fn masked(diff: &StateDiff, secrets: &Secrets) -> StateDiff {
    let entity = |entity: &Entity| Entity {
        kind: entity.kind.clone(),
        id: entity.id.as_ref().map(|id| secrets.mask(id).into_inner()),
        name: entity.name.as_ref().map(|name| secrets.mask(name.as_str()).into_inner()),
    };
    let place = |place: &EntityPlace| EntityPlace { within: entity(&place.within), ..place.clone() };
    let value = |value: &Option<Value>| value.as_ref().map(|value| secrets.mask(value).into_inner());
    let delta = |delta: &Delta| match delta {
        Delta::EntityAdded { entity: it, within, path, after } => Delta::EntityAdded {
            entity: entity(it),
            within: entity(within),
            path: path.clone(),
            after: secrets.mask(after).into_inner(),
        },
        Delta::EntityRemoved { entity: it, within, path, before } => Delta::EntityRemoved {
            entity: entity(it),
            within: entity(within),
            path: path.clone(),
            before: secrets.mask(before).into_inner(),
        },
        Delta::EntityMoved { entity: it, before, after } => {
            Delta::EntityMoved { entity: entity(it), before: place(before), after: place(after) }
        }
        Delta::FieldChanged { entity: it, field, path, before, after } => Delta::FieldChanged {
            entity: entity(it),
            field: secrets.mask(field.as_str()).into_inner(),
            path: path.clone(),
            before: value(before),
            after: value(after),
        },
    };
    let mut masked = diff.clone();
    masked.diff.semantic_deltas = diff.diff.semantic_deltas.iter().map(delta).collect();
    masked
}

fn line(delta: &Delta) -> String {
    match delta {
        Delta::EntityAdded { entity, within, after, .. } => styled(
            ADDED,
            "+",
            &format!("{}{}{}", shown(entity), inside("in", within), content(entity, after)),
        ),
        Delta::EntityRemoved { entity, within, before, .. } => styled(
            REMOVED,
            "-",
            &format!("{}{}{}", shown(entity), inside("from", within), content(entity, before)),
        ),
        Delta::EntityMoved { entity, before, after } => {
            styled(MOVED, ">", &format!("{}{}", shown(entity), way(before, after)))
        }
        Delta::FieldChanged { entity, field, before, after, .. } => {
            let of = if entity.kind == "state" { String::new() } else { format!("{} ", shown(entity)) };
            let change = match (before, after) {
                (None, Some(after)) => format!("{} (new)", value(after)),
                (Some(before), None) => format!("{} (gone)", value(before)),
                (before, after) => {
                    format!(
                        "{} -> {}",
                        before.as_ref().map_or_else(String::new, value),
                        after.as_ref().map_or_else(String::new, value)
                    )
                }
            };
            styled(CHANGED, "~", &format!("{of}{}: {change}", one_line(field)))
        }
    }
}

fn styled(style: Style, mark: &str, text: &str) -> String {
    format!("  {style}{mark} {text}{style:#}")
}

/// Formats the kind, name and id of an entity, as far as it has them.
fn shown(entity: &Entity) -> String {
    let name = entity.name.as_ref().map(|name| format!(" {}", quoted(name)));
    let id = entity.id.as_ref().map(|id| match (&name, id) {
        (Some(_), Value::String(id)) => format!(" ({})", one_line(id)),
        (Some(_), id) => format!(" ({id})"),
        (None, id) => format!(" {}", value(id)),
    });
    format!("{}{}{}", one_line(&entity.kind), name.unwrap_or_default(), id.unwrap_or_default())
}

fn inside(word: &str, within: &Entity) -> String {
    if within.kind == "state" { String::new() } else { format!(" {word} {}", shown(within)) }
}

/// Formats the content of an item that has neither name nor id to identify it.
fn content(entity: &Entity, item: &Value) -> String {
    if entity.name.is_some() || entity.id.is_some() { String::new() } else { format!(" {}", value(item)) }
}

fn way(before: &EntityPlace, after: &EntityPlace) -> String {
    match before.within == after.within {
        true => {
            format!("{}: from place {} to {}", inside("in", &after.within), before.index + 1, after.index + 1)
        }
        false => format!(": from {} to {}", shown(&before.within), shown(&after.within)),
    }
}

/// Formats a value on one short line. The value comes from a page, so control characters are escaped.
fn value(value: &Value) -> String {
    let text = value.as_str().map_or_else(|| one_line(&value.to_string()), quoted);
    short(&text, MAX_SHOWN)
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", visible(text).replace('\n', "\\n"))
}

#[cfg(test)]
mod tests {
    use actions_engine::{Snapshot, StateDiff};
    use actions_protocol::Timestamp;
    use serde_json::json;

    use super::*;

    fn snapshot(state: Value) -> Snapshot {
        let observed_at = Timestamp::parse("2026-01-01T00:00:00Z").expect("a moment");
        let (projection, url) = ("site.board".to_owned(), "https://board.example/".to_owned());
        Snapshot { projection, url, observed_at, state_hash: String::new(), state }
    }

    #[test]
    fn every_kind_of_change_has_a_colour_and_control_characters_are_escaped() {
        let before = json!({ "open": true, "log": ["a"], "rows": [{ "id": 1, "n": 1 }, { "id": 2 }, { "id": 3, "old": 1 }] });
        let after = json!({ "log": ["a", "b\u{1b}[2J\nc"], "rows": [{ "id": 3 }, { "id": 4, "title": "new" }, { "id": 1, "n": "x".repeat(200) }] });
        let diff = StateDiff::between(Some(&snapshot(before)), &snapshot(after));
        insta::assert_debug_snapshot!(lines(&diff));
    }
}
