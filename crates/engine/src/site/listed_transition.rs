//! A transition as listings show it.

use actions_manifest::Exposed;
use actions_manifest::model::{self, SlotOrText};
use serde::Serialize;
use serde_json::Value;

/// A transition as listings show it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ListedTransition {
    /// Its name.
    pub name: String,
    /// What it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The states it starts in, any of them.
    pub from: Vec<String>,
    /// The states it leads to, any of them.
    pub to: Vec<String>,
    /// The tool that performs it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The signal that reports it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signal: Option<String>,
    /// How it happens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// The least time between two actions that a visitor would see.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate_limit_ms: Option<u64>,
    /// What must be true before.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub preconditions: Vec<String>,
    /// The states or data that are expected after.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reveals: Vec<String>,
    /// Approaches known to be bad.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub do_not_use: Vec<String>,
    /// When repeating it ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub convergence: Option<ListedConvergence>,
    /// Whether it starts where the page is; absent if that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub starts_here: Option<bool>,
}

/// When repeating a transition ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ListedConvergence {
    /// The condition that ends it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complete_when: Option<String>,
    /// How often it is repeated at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_attempts: Option<u64>,
    /// Whether `actions run --traverse` can repeat it: its condition is an expression, or there is none.
    pub traversable: bool,
}

impl ListedTransition {
    /// A transition of a map, without regard to a page.
    pub fn of(transition: &Exposed<'_, model::Transition>) -> Self {
        let item = transition.item;
        let exposed = |name: &str| match transition.part.namespace() {
            Some(namespace) => format!("{namespace}.{name}"),
            None => name.to_owned(),
        };
        let states = |names: &model::Names| names.0.iter().map(|name| exposed(name.value.as_str())).collect();
        let preconditions = item.preconditions.iter().flat_map(|conditions| &conditions.0);
        Self {
            name: transition.name.to_string(),
            description: item.description.clone(),
            from: states(&item.from),
            to: states(&item.to),
            tool: item.tool.as_ref().map(|name| exposed(&name.value)),
            signal: item.signal.as_ref().map(|name| exposed(&name.value)),
            method: item.method.as_ref().map(|method| method.to_string()),
            rate_limit_ms: item.rate_limit_ms.as_ref().map(|limit| limit.0),
            preconditions: preconditions.map(source).collect(),
            reveals: item.reveals.as_ref().map(texts).unwrap_or_default(),
            do_not_use: item.do_not_use.as_ref().map(texts).unwrap_or_default(),
            convergence: item.convergence.as_ref().map(|convergence| ListedConvergence {
                complete_when: convergence.complete_when.as_ref().map(source),
                max_attempts: convergence.max_attempts.as_ref().map(|attempts| attempts.0),
                traversable: item.tool.is_some()
                    && match &convergence.complete_when {
                        Some(SlotOrText::Slot(_)) => true,
                        Some(SlotOrText::Text(_)) => false,
                        None => convergence.max_attempts.is_some(),
                    },
            }),
            starts_here: None,
        }
    }
}

/// A condition as it stands in the map.
fn source(condition: &SlotOrText) -> String {
    match condition {
        SlotOrText::Slot(slot) => format!("{{% {} %}}", slot.expression.source().trim()),
        SlotOrText::Text(words) => words.value.clone(),
    }
}

/// One text or several. The format does not say how they are written, so anything else is shown as JSON.
fn texts(value: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    match value {
        Value::Null => Vec::new(),
        Value::Array(values) => values.iter().map(text).collect(),
        one => vec![text(one)],
    }
}
