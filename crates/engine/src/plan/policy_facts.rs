//! What a policy may want to know of a tool beside its name and its effect.

use actions_manifest::model;
use serde_json::{Map, Value};

/// What a policy may want to know of a tool beside its name and its effect.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PolicyFacts {
    /// The permissions of the site's policy for agents that its map names for it.
    pub policy_keys: Vec<String>,
    /// The names of the members of its result.
    pub result_names: Vec<String>,
    /// Whether it is a primitive that no tool of the map performs.
    pub is_primitive: bool,
}

/// The most names of a result that are kept, and how deep they are looked for.
const MOST: usize = 200;
const DEEPEST: usize = 4;

impl PolicyFacts {
    /// The facts of a tool.
    pub(super) fn of(tool: &model::Tool) -> Self {
        let x_actions = tool.x_actions.as_ref();
        let keys = x_actions.iter().flat_map(|x| &x.policy).map(|key| key.value.clone());
        let schema = x_actions.and_then(|x| x.result_schema.as_ref()).or(tool.result_schema.as_ref());
        let mut result_names = Vec::new();
        if let Some(schema) = schema {
            collect(&schema.schema, DEEPEST, &mut result_names);
        }
        Self { policy_keys: keys.collect(), result_names, is_primitive: false }
    }

    /// The facts of a primitive that is called on its own.
    pub(super) fn of_primitive() -> Self {
        Self { is_primitive: true, ..Self::default() }
    }
}

/// Collects the names of the members that a schema declares.
fn collect(schema: &Map<String, Value>, depth: usize, names: &mut Vec<String>) {
    if depth == 0 {
        return;
    }
    let members = schema.get("properties").and_then(Value::as_object);
    for (name, member) in members.into_iter().flatten() {
        if names.len() >= MOST {
            return;
        }
        names.push(name.clone());
        member.as_object().into_iter().for_each(|member| collect(member, depth - 1, names));
    }
    schema
        .get("items")
        .and_then(Value::as_object)
        .into_iter()
        .for_each(|items| collect(items, depth - 1, names));
}
