//! `actions list`: lists what a map declares, for all pages or for one.

use std::path::PathBuf;

use actions_engine::Engine;
use actions_manifest::model::{Check, Tool};
use actions_manifest::{CheckedManifest, Exposed, Profile};
use actions_protocol::Exit;
use clap::ValueEnum;
use serde_json::{Value, json};

use crate::address::page;
use crate::maps;
use crate::output::{self, result};
use crate::text::{columns, visible};

/// Lists the tools, projections, checks, context, states and files of a map, with its prompt
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  actions list sites/example.com/actions.json\n  actions list sites/example.com/actions.json --url https://example.com/cart/"
)]
pub(crate) struct Arguments {
    /// Map to list
    map: PathBuf,
    /// List only what applies to the page at this address
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// Accept mistakes that are common in published maps
    #[arg(long)]
    lenient: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human, value_name = "FORMAT")]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Human,
    /// One JSON object
    Json,
}

pub(crate) fn run(arguments: Arguments) -> Exit {
    let profile = if arguments.lenient { Profile::Lenient } else { Profile::Strict };
    let engine = match maps::load(&arguments.map, profile) {
        Ok(manifest) => Engine::new(manifest),
        Err(error) => return error.exit(),
    };
    let url = arguments.url.as_deref();
    match arguments.format {
        Format::Json => output::json(&as_json(&engine, url)),
        Format::Human => human(&engine, url),
    }
    Exit::Done
}

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

fn as_json(engine: &Engine, url: Option<&str>) -> Value {
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
            })).collect::<Vec<_>>(),
        "states": manifest.states()
            .map(|state| json!({ "name": state.name, "description": &*state.item.description }))
            .collect::<Vec<_>>(),
        "files": files(manifest),
    })
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

/// The sections of a list: heading, key of its rows, and key of each column.
const SECTIONS: &[(&str, &str, &[&str])] = &[
    ("Tools", "tools", &["name", "description"]),
    ("Not runnable", "not_runnable", &["name", "why_not"]),
    ("State projections", "projections", &["name", "description"]),
    ("Checks", "checks", &["id", "severity", "description"]),
    ("Context", "context", &["id", "title"]),
    ("States", "states", &["name", "description"]),
    ("Files", "files", &["path", "title", "read_when"]),
];

fn human(engine: &Engine, url: Option<&str>) {
    let mut listed = as_json(engine, url);
    let tools = listed["tools"].as_array_mut().map(std::mem::take).unwrap_or_default();
    let (runnable, not_runnable): (Vec<_>, Vec<_>) =
        tools.into_iter().partition(|tool| tool["runnable"] == true);
    listed["tools"] = json!(runnable);
    listed["not_runnable"] = json!(not_runnable);
    let sections: Vec<String> =
        SECTIONS.iter().filter_map(|(heading, key, cells)| section(heading, &listed[*key], cells)).collect();
    let nothing = match url {
        _ if !sections.is_empty() => None,
        Some(_) => Some("Nothing in this map applies to the page at this address.".to_owned()),
        None => Some("This map declares nothing.".to_owned()),
    };
    let texts = [prose("Prompt", &listed["prompt"]), prose("Skill", &listed["skill"])];
    let parts = title(&listed["surface"]).into_iter().chain(texts.into_iter().flatten());
    result(parts.chain(sections).chain(nothing).collect::<Vec<_>>().join("\n\n"));
}

/// Text, or an object of texts, under a heading.
fn prose(heading: &str, value: &Value) -> Option<String> {
    let lines = match value {
        Value::Null => return None,
        Value::String(text) => format!("  {}", visible(text)),
        Value::Object(members) => {
            let row = |(key, value): (&String, &Value)| {
                let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                vec![String::new(), visible(key), visible(&text)]
            };
            columns(&members.iter().map(row).collect::<Vec<_>>())
        }
        other => format!("  {}", visible(&other.to_string())),
    };
    Some(format!("{heading}\n{lines}"))
}

fn title(surface: &Value) -> Option<String> {
    let words: Vec<String> =
        [&surface["name"], &surface["origin"]].into_iter().filter_map(Value::as_str).map(visible).collect();
    (!words.is_empty()).then(|| words.join(" · "))
}

fn section(heading: &str, listed: &Value, cells: &[&str]) -> Option<String> {
    let rows = listed.as_array().filter(|rows| !rows.is_empty())?.iter();
    let row = |row: &Value| {
        let cells = cells.iter().map(|cell| visible(row[*cell].as_str().unwrap_or("")));
        std::iter::once(String::new()).chain(cells).collect()
    };
    Some(format!("{heading}\n{}", columns(&rows.map(row).collect::<Vec<_>>())))
}
