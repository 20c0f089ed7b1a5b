//! What maps declare, as JSON, for all pages or for one.

use actions_engine::{Engine, HereListing, ListedTransition};
use actions_manifest::model::{Check, Context, Located, Tool};
use actions_manifest::{CheckedManifest, Exposed, Part};
use serde_json::{Value, json};

use crate::address::page;

/// Whether something applies to the page; everything applies if no page is given.
fn applies(url: Option<&str>, test: impl FnOnce(&str) -> bool) -> bool {
    url.is_none_or(test)
}

/// Whether a check runs on the page: the page it names, else the start page of its surface.
fn is_made_on(check: &Exposed<'_, Check>, url: &str) -> bool {
    let surface = check.part.manifest().and_then(|manifest| manifest.surface());
    let start = surface.and_then(|surface| surface.url.as_ref().or(surface.origin.as_ref()));
    check.item.url.as_ref().or(start).is_none_or(|own| bare(own) == bare(url))
}

/// Returns the address without fragment and trailing slash.
fn bare(url: &str) -> &str {
    page(url).trim_end_matches('/')
}

/// What a map declares, and for a page only what applies to it.
pub(crate) fn of(engine: &Engine, url: Option<&str>) -> Value {
    let manifest = engine.manifest();
    json!({
        "surface": surface(manifest),
        "prompt": manifest.root().prompt,
        "skill": manifest.skill(),
        "tools": manifest.tools()
            .filter(|tool| applies(url, |url| tool.applies_to(url)))
            .map(|tool| as_tool(engine, &tool)).collect::<Vec<_>>(),
        "projections": manifest.projections()
            .filter(|p| applies(url, |url| p.applies_to(url)))
            .map(|p| json!({
                "name": p.name,
                "description": p.item.description.as_deref(),
                "summaries": p.item.summaries.iter().map(|summary| json!({
                    "name": summary.name.value,
                    "description": summary.description.as_deref(),
                    "max_bytes": summary.max_bytes.as_ref().map(|bytes| bytes.0),
                    "input_schema": summary.input_schema.as_ref().map(|schema| &schema.schema),
                })).collect::<Vec<_>>(),
            })).collect::<Vec<_>>(),
        "checks": manifest.checks()
            .filter(|check| applies(url, |url| is_made_on(check, url)))
            .map(|check| json!({
                "id": check.name,
                "severity": check.item.severity,
                "description": &*check.item.description,
            })).collect::<Vec<_>>(),
        "context": manifest.contexts()
            .filter(|context| applies(url, |url| context.applies_to(url)))
            .map(|context| json!({
                "id": context.name,
                "title": context.item.title,
                "body": &*context.item.body,
                "load_when": written(&context, "load_when"),
                "available_tools": names(context.part, &context.item.available_tools),
                "next_states": names(context.part, &context.item.next_states),
            })).collect::<Vec<_>>(),
        "states": manifest.states()
            .map(|state| json!({
                "name": state.name,
                "description": &*state.item.description,
                "diagnosed": !state.item.diagnostics.is_empty(),
            }))
            .collect::<Vec<_>>(),
        "transitions": manifest.transitions().map(|one| ListedTransition::of(&one)).collect::<Vec<_>>(),
        "files": files(manifest),
    })
}

/// A part of a context block, as its map writes it.
fn written(context: &Exposed<'_, Context>, key: &str) -> Option<Value> {
    let node = context.part.document().node(context.item.at);
    node.get(key).map(|node| node.to_value())
}

/// Names of a map as its composition exposes them.
fn names(part: &Part, names: &[Located<String>]) -> Vec<String> {
    let exposed = |name: &Located<String>| match part.namespace() {
        Some(namespace) => format!("{namespace}.{}", name.value),
        None => name.value.clone(),
    };
    names.iter().map(exposed).collect()
}

/// The surface; an older map may give no more than its name.
fn surface(manifest: &CheckedManifest) -> Value {
    let surface = manifest.root().surface();
    let name = surface.and_then(|surface| surface.name.as_deref());
    let name = name.or_else(|| manifest.document().root().get("surface")?.as_str());
    json!({
        "name": name,
        "origin": surface.and_then(|surface| surface.origin.as_ref()).map(|origin| origin.as_str()),
        "url": surface.and_then(|surface| surface.url.as_ref()).map(|url| url.as_str()),
    })
}

fn as_tool(engine: &Engine, tool: &Exposed<'_, Tool>) -> Value {
    let plan = engine.plan(tool.name.as_str());
    let why_not = match &plan {
        Err(error) => Some(error.to_string()),
        Ok(plan) => plan.can_perform().err().map(|error| error.to_string()).or_else(|| {
            let function = plan.page_function()?;
            Some(format!(
                "its handler `{function}` is a function of the page; `--allow-handlers` allows the call"
            ))
        }),
    };
    let mut listed = json!({
        "name": tool.name,
        "description": &**tool.item.description,
        "input_schema": tool.item.input_schema.schema,
        "effect": plan.as_ref().ok().map(|plan| plan.effect()),
        "runnable": why_not.is_none(),
        "why_not": why_not,
    });
    // What published maps say of states is free text: it is shown and never executed.
    let state_machine = tool.item.workflow.as_ref().and_then(|workflow| workflow.x_state_machine.as_ref());
    if let Some(state_machine) = state_machine {
        listed["x_state_machine"] = json!(state_machine);
    }
    listed
}

fn files(manifest: &CheckedManifest) -> Vec<Value> {
    let maps = manifest.parts().iter().filter_map(|part| part.manifest());
    let of_maps = maps.filter_map(|map| map.x_actions.as_ref()).flat_map(|x_actions| &x_actions.files);
    let tools: Vec<_> = manifest.tools().collect();
    let of_tools = tools.iter().filter_map(|tool| tool.item.x_actions.as_ref());
    let of_tools = of_tools.flat_map(|x_actions| &x_actions.files);
    of_maps
        .chain(of_tools)
        .map(|file| {
            json!({
                "id": file.id.as_ref().map(|id| id.as_str()),
                "path": file.path.value,
                "kind": file.kind,
                "title": file.title,
                "description": file.description,
                "read_when": file.read_when,
            })
        })
        .collect()
}

/// A listing with what holds on a page now: its states, the context for it, and which tools would be refused.
pub(crate) fn here(mut listing: Value, here: &HereListing) -> Value {
    listing["url"] = json!(here.url);
    listing["current_states"] = json!(here.current_states);
    listing["unknown_states"] = json!(here.unknown_states);
    listing["context"] = json!(here.context);
    if !here.page_tools.is_empty() {
        listing["page_tools"] = json!(here.page_tools);
    }
    for tool in listing["tools"].as_array_mut().into_iter().flatten() {
        let Some(seen) = here.tools.iter().find(|seen| tool["name"] == seen.name.as_str()) else { continue };
        tool["applies"] = json!(seen.applies);
        if !seen.applies && tool["why_not"].is_null() {
            tool["why_not"] = json!(seen.why_not);
        }
    }
    listing
}

/// A listing whose parts name the map they come from.
pub(crate) fn named(mut listing: Value, map: &str) -> Value {
    for section in listing.as_object_mut().into_iter().flat_map(|sections| sections.values_mut()) {
        for item in section.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
            item.insert("map".to_owned(), json!(map));
        }
    }
    listing
}
