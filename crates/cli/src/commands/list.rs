//! `actions list`: lists what a map declares, for all pages or for one.

use std::path::PathBuf;

use actions_manifest::model::Check;
use actions_manifest::{CheckedManifest, Exposed, Profile};
use actions_protocol::Exit;
use clap::ValueEnum;
use serde_json::{Value, json};

use crate::address::page;
use crate::maps;
use crate::output::{self, result};
use crate::text::{columns, visible};

/// Lists the tools, projections, checks and context of a map
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
    let manifest = match maps::load(&arguments.map, profile) {
        Ok(manifest) => manifest,
        Err(error) => return error.exit(),
    };
    let url = arguments.url.as_deref();
    match arguments.format {
        Format::Json => output::json(&as_json(&manifest, url)),
        Format::Human => human(&manifest, url),
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

fn as_json(manifest: &CheckedManifest, url: Option<&str>) -> Value {
    let surface = manifest.root().surface();
    json!({
        "surface": {
            "name": surface.and_then(|surface| surface.name.as_deref()),
            "origin": surface.and_then(|surface| surface.origin.as_ref()).map(|origin| origin.as_str()),
        },
        "tools": manifest.tools()
            .filter(|tool| applies(url, |url| tool.applies_to(url)))
            .map(|tool| json!({
                "name": tool.name,
                "description": &**tool.item.description,
                "input_schema": tool.item.input_schema.schema,
            })).collect::<Vec<_>>(),
        "state_projections": manifest.projections()
            .filter(|p| applies(url, |url| p.applies_to(url)))
            .map(|p| json!({
                "name": p.name,
                "description": p.item.description.as_deref(),
                "summaries": p.item.summaries.iter().map(|summary| json!({
                    "name": summary.name.value,
                    "description": summary.description.as_deref(),
                    "max_bytes": summary.max_bytes.as_ref().map(|bytes| bytes.0),
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
    })
}

/// The sections of a list: heading, key of its rows, and key of each column.
const SECTIONS: &[(&str, &str, &[&str])] = &[
    ("Tools", "tools", &["name", "description"]),
    ("State projections", "state_projections", &["name", "description"]),
    ("Checks", "checks", &["id", "severity", "description"]),
    ("Context", "context", &["id", "title"]),
];

fn human(manifest: &CheckedManifest, url: Option<&str>) {
    let listed = as_json(manifest, url);
    let sections: Vec<String> =
        SECTIONS.iter().filter_map(|(heading, key, cells)| section(heading, &listed[*key], cells)).collect();
    let nothing = match url {
        _ if !sections.is_empty() => None,
        Some(_) => Some("Nothing in this map applies to the page at this address.".to_owned()),
        None => Some("This map declares nothing.".to_owned()),
    };
    let parts: Vec<String> = title(&listed["surface"]).into_iter().chain(sections).chain(nothing).collect();
    result(parts.join("\n\n"));
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
