//! Tells a person why a call failed.

use actions_engine::{CallError, Engine};
use serde_json::Value;

use crate::output::note;
use crate::text::{closest, visible};

/// What is shown of the evidence, in this order.
const EVIDENCE: &[&str] = &[
    "reason",
    "occluded_by",
    "waiting",
    "url",
    "by",
    "nearest",
    "hint",
    "errors",
    "current",
    "missing_required_fields",
];

/// The names a caller may have meant, by the evidence that holds them.
const NAMES: &[(&str, &str)] =
    &[("tools", "tools"), ("projections", "projections"), ("summaries", "summaries of this projection")];

/// Tells the sentence, the step, the place in the map, the hint and the code.
pub(crate) fn explain(engine: &Engine, asked_for: &str, error: &CallError) {
    note(format_args!("error: {}", visible(&error.message)));
    if let Some(step) = &error.step {
        note(format_args!("  step: {} ({})", step.id, step.primitive));
        note(format_args!("  at: {}:{}:{}", step.place.map, step.place.line, step.place.column));
        let text = engine.manifest().document().source().text();
        if let Some(line) = text.lines().nth(step.place.line.saturating_sub(1)) {
            note(format_args!("  {:>5} │ {}", step.place.line, visible(line)));
        }
    }
    if let Some(cause) = &error.cause {
        note(format_args!("  cause: {} ({})", visible(&cause.message), cause.code));
    }
    for key in EVIDENCE {
        if let Some(value) = error.evidence.get(*key).filter(|value| !value.is_null()) {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            note(format_args!("  {key}: {}", visible(&text)));
        }
    }
    note(format_args!("  help: {}", help(asked_for, error)));
    note(format_args!("  code: {} (`actions explain {}`)", error.code, error.code));
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
    let object = error.to_error_object();
    object.extra.get("safe_recovery").and_then(Value::as_str).unwrap_or_default().to_owned()
}
