//! What a tool does, from the primitives of its workflow: its trigger and the permissions it needs.

use std::collections::BTreeSet;

use actions_engine::Engine;
use serde_json::Value;

use crate::permission::{Permission, Permissions};

/// How many tools a workflow may call one after the other until the rest is not looked at.
const DEEPEST: usize = 16;

/// The beginnings of names of primitives and what they need. The first that fits decides; one that is not here needs nothing.
const NEEDS: &[(&str, Permission)] = &[
    ("pointer.wheel", Permission::Scroll),
    ("pointer.", Permission::Click),
    ("overlay.", Permission::Click),
    ("cursor.", Permission::Click),
    ("text.", Permission::FillForms),
    ("form.", Permission::FillForms),
    ("keyboard.", Permission::FillForms),
    ("clipboard.paste", Permission::FillForms),
    ("viewport.", Permission::Scroll),
    ("browser.navigate", Permission::Navigate),
    ("browser.back", Permission::Navigate),
    ("browser.forward", Permission::Navigate),
    ("browser.open_tab", Permission::Navigate),
    ("http.", Permission::ApiAccess),
    ("page.fetch", Permission::ApiAccess),
    ("wab.", Permission::ApiAccess),
    ("dom.extract", Permission::ReadContent),
    ("dom.snapshot_text", Permission::ReadContent),
    ("locator.text_content", Permission::ReadContent),
    ("browser.extract_elements", Permission::ReadContent),
    ("browser.screenshot", Permission::ReadContent),
];

/// What decides the trigger, the strongest first.
const TRIGGERS: &[(Permission, &str)] = &[
    (Permission::FillForms, "fill_and_submit"),
    (Permission::Click, "click"),
    (Permission::ApiAccess, "api"),
    (Permission::Navigate, "navigate"),
    (Permission::Scroll, "scroll"),
];

/// What a tool does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Does {
    pub(crate) trigger: &'static str,
    pub(crate) needs: Permissions,
}

impl Does {
    /// What a tool of a map does. One that has no workflow, or whose workflow only looks, counts as a click.
    pub(crate) fn of(engine: &Engine, tool: &str) -> Self {
        let mut primitives = BTreeSet::new();
        collect(engine, tool, &mut primitives, 0);
        let needed =
            primitives.iter().filter_map(|name| NEEDS.iter().find(|(begin, _)| name.starts_with(begin)));
        let needs = Permissions::of(needed.map(|(_, permission)| *permission));
        let decides = TRIGGERS.iter().find(|(permission, _)| needs.grants(*permission));
        match decides {
            Some((_, trigger)) => Self { trigger, needs },
            None => Self { trigger: "click", needs: needs.or(Permissions::of([Permission::Click])) },
        }
    }
}

/// Collects the primitives of a tool and of those that it calls.
fn collect(engine: &Engine, tool: &str, found: &mut BTreeSet<String>, depth: usize) {
    let Some(exposed) = engine.manifest().tool(tool) else { return };
    let document = exposed.part.document().root();
    let own = document.get("tools").into_iter().flat_map(|tools| tools.elements()).find(|node| {
        let name = node.get("name").and_then(|name| name.as_str());
        name.is_some_and(|name| {
            tool == name || tool.strip_suffix(name).is_some_and(|rest| rest.ends_with('.'))
        })
    });
    let Some(own) = own else { return };
    let mut calls = Vec::new();
    walk(&own.to_value(), found, &mut calls);
    if depth < DEEPEST {
        for called in calls {
            collect(engine, &called, found, depth + 1);
        }
    }
}

/// Walks a part of a tool: the primitives that it names, and the tools.
fn walk(value: &Value, found: &mut BTreeSet<String>, calls: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (key, member) in members {
                match (key.as_str(), member) {
                    ("primitive", Value::String(name)) => drop(found.insert(name.clone())),
                    ("tool", Value::String(name)) => calls.push(name.clone()),
                    ("input_schema" | "result_schema", _) => {}
                    (_, member) => walk(member, found, calls),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| walk(item, found, calls)),
        _ => {}
    }
}
