use std::path::PathBuf;

use actions_manifest::{CheckedManifest, Profile};
use actions_protocol::Exit;
use clap::ValueEnum;
use serde_json::{Value, json};

use crate::maps;
use crate::output::{self, result};
use crate::text::{columns, visible};

/// Lists what a map declares.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  actions list sites/example.com/actions.json\n  actions list sites/example.com/actions.json --url https://example.com/cart"
)]
pub(crate) struct Arguments {
    /// The map
    map: PathBuf,
    /// Only what applies to a page of this address
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// Accept what published maps commonly get wrong
    #[arg(long)]
    lenient: bool,
    /// How the list is written
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

/// Whether something applies to the page; everything does when no page is given.
fn applies(url: Option<&str>, test: impl FnOnce(&str) -> bool) -> bool {
    url.is_none_or(test)
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
        "checks": manifest.checks().map(|check| json!({
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

fn human(manifest: &CheckedManifest, url: Option<&str>) {
    let listed = as_json(manifest, url);
    let heading = |text: &Value| text.as_str().map(visible);
    let name = heading(&listed["surface"]["name"]);
    let origin = heading(&listed["surface"]["origin"]);
    let title: Vec<String> = [name, origin].into_iter().flatten().collect();
    if !title.is_empty() {
        result(format_args!("{}\n", title.join(" · ")));
    }
    let sections: &[(&str, &str, &str, &[&str])] = &[
        ("Tools", "tools", "name", &["description"]),
        ("State projections", "state_projections", "name", &["description"]),
        ("Checks", "checks", "id", &["severity", "description"]),
        ("Context", "context", "id", &["title"]),
    ];
    for (heading, key, name, rest) in sections {
        let rows: Vec<Vec<String>> = listed[*key]
            .as_array()
            .into_iter()
            .flatten()
            .map(|row| {
                let cells = std::iter::once(name)
                    .chain(rest.iter())
                    .map(|cell| visible(row[*cell].as_str().unwrap_or("")));
                std::iter::once(String::new()).chain(cells).collect()
            })
            .collect();
        if !rows.is_empty() {
            result(format_args!("{heading}\n{}\n", columns(&rows)));
        }
    }
    if ["tools", "state_projections", "checks", "context"]
        .iter()
        .all(|key| listed[*key].as_array().is_none_or(Vec::is_empty))
    {
        result("Nothing in this map applies here.");
    }
}
