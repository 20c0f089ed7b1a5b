//! `actions list`: lists what a map declares, for all pages or for one.

use std::path::{Path, PathBuf};

use actions_engine::{CallError, Engine};
use actions_manifest::Profile;
use actions_mcp::{Style, definitions, definitions_of};
use actions_protocol::{ErrorCode, Exit};
use actions_runtime::{MapVersion, join_listings};
use clap::ValueEnum;
use serde_json::{Value, json};

use crate::failure::{Around, explain};
use crate::output::{self, result};
use crate::session_options::InSession;
use crate::text::{columns, line, visible};
use crate::{background, listing, maps, published};

/// Lists the tools, projections, checks, context, states and files of a map, with its prompt
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  actions list sites/example.com/actions.json\n  actions list sites/example.com/actions.json --url https://example.com/cart/"
)]
pub(crate) struct Arguments {
    /// Map to list, a storage root, or the address of a site
    #[arg(required_unless_present = "session", conflicts_with = "session")]
    map: Option<PathBuf>,
    /// List only what applies to the page at this address
    #[arg(long, value_name = "URL", conflicts_with = "session")]
    url: Option<String>,
    #[command(flatten)]
    within: InSession,
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
    /// Definitions of the tools for chat completions
    Openai,
    /// Definitions of the tools for messages of Anthropic
    Anthropic,
    /// Definitions of the tools as a server of MCP lists them
    Mcp,
}

impl Format {
    /// The style of definitions for a model, if it is one.
    fn style(self) -> Option<Style> {
        match self {
            Self::Human | Self::Json => None,
            Self::Openai => Some(Style::OpenAi),
            Self::Anthropic => Some(Style::Anthropic),
            Self::Mcp => Some(Style::Mcp),
        }
    }
}

pub(crate) fn run(arguments: Arguments) -> Exit {
    if let Some(style) = arguments.format.style() {
        return match defined(&arguments, style) {
            Ok(definitions) => {
                output::json(&definitions);
                Exit::Done
            }
            Err(error) => error.exit(),
        };
    }
    let listed = match &arguments.within.session {
        Some(session) => {
            let listed = background::list(session, arguments.within.page.clone());
            listed.inspect_err(|error| explain(error, Around::default()))
        }
        None => {
            let profile = if arguments.lenient { Profile::Lenient } else { Profile::Strict };
            let map = arguments.map.as_deref().unwrap_or(Path::new(""));
            listed_at(map, profile, arguments.url.as_deref())
        }
    };
    let listed = match listed {
        Ok(listed) => listed,
        Err(error) => return error.exit(),
    };
    match arguments.format {
        Format::Human => human(listed, arguments.url.is_some() || arguments.within.session.is_some()),
        // The styles for models were answered above.
        Format::Json | Format::Openai | Format::Anthropic | Format::Mcp => output::json(&listed),
    }
    Exit::Done
}

/// The definitions of the tools of a map, or of those of a storage root, for a model.
fn defined(arguments: &Arguments, style: Style) -> Result<Value, CallError> {
    let explained = |error: CallError| {
        explain(&error, Around::default());
        error
    };
    let profile = if arguments.lenient { Profile::Lenient } else { Profile::Strict };
    let Some(map) = arguments.map.as_deref() else {
        let message = "definitions for a model are those of a map; a session has no file";
        return Err(explained(CallError::new(ErrorCode::WrongUsage, message)));
    };
    let url = arguments.url.as_deref();
    let versions = maps::files(map, url).map_err(explained)?.into_iter().map(|file| {
        let engine = Engine::new(maps::load(&file, profile)?);
        Ok(MapVersion::named(file.display().to_string(), engine))
    });
    let versions: Vec<MapVersion> = versions.collect::<Result<_, CallError>>()?;
    Ok(definitions(&definitions_of(&versions, url), style))
}

/// The listing of a map, or of a storage root: of its maps for an address, or of all its maps by name.
fn listed_at(path: &Path, profile: Profile, url: Option<&str>) -> Result<Value, CallError> {
    let explained = |error: CallError| {
        explain(&error, Around::default());
        error
    };
    if let Some(address) = published::address_of(path) {
        let maps = published::all(address, profile, None)?;
        let listings = maps.into_iter().map(|manifest| {
            let name = manifest.root_part().document().source().name().to_owned();
            listing::named(listing::of(&Engine::new(manifest), url), &name)
        });
        return Ok(listings.reduce(join_listings).unwrap_or_default());
    }
    let Some(root) = maps::storage_root(path).map_err(explained)? else {
        return maps::load_telling(path, profile).map(|manifest| listing::of(&Engine::new(manifest), url));
    };
    let stored = maps::stored(&root, url).map_err(explained)?;
    let rows = stored.iter().map(|map| {
        json!({
            "path": map.path.display().to_string(), "scope": map.scope.to_string(), "host": map.host,
            "surface": map.surface.join("/"),
        })
    });
    let rows: Value = rows.collect();
    if url.is_none() {
        return Ok(json!({ "maps": rows }));
    }
    let listings = stored.iter().map(|map| {
        let manifest = maps::load_telling(&map.path, profile)?;
        Ok(listing::named(listing::of(&Engine::new(manifest), url), &map.path.display().to_string()))
    });
    let listings: Vec<Value> = listings.collect::<Result<_, CallError>>()?;
    let mut listed = listings.into_iter().reduce(join_listings).unwrap_or_default();
    listed["maps"] = rows;
    Ok(listed)
}

/// The sections of a list: heading, key of its rows, and key of each column.
const SECTIONS: &[(&str, &str, &[&str])] = &[
    ("Maps", "maps", &["host", "surface", "scope", "path"]),
    ("Tools", "tools", &["name", "description"]),
    ("Tools of the page itself (webmcp.call_tool)", "page_tools", &["name", "description"]),
    ("Not runnable", "not_runnable", &["name", "why_not"]),
    ("State projections", "projections", &["name", "description"]),
    ("Checks", "checks", &["id", "severity", "description"]),
    ("Context", "context", &["id", "title"]),
    ("States", "states", &["name", "description"]),
    ("Transitions", "transitions", &["name", "way", "tool", "warning"]),
    ("Files", "files", &["path", "title", "read_when"]),
    ("Hidden by another map", "shadowed", &["name", "kind", "map"]),
];

/// Prints a listing, of one page or of all.
fn human(mut listed: Value, of_page: bool) {
    let tools = listed["tools"].as_array_mut().map(std::mem::take).unwrap_or_default();
    let (runnable, not_runnable): (Vec<_>, Vec<_>) =
        tools.into_iter().partition(|tool| tool["runnable"] == true && tool["applies"] != false);
    listed["tools"] = json!(runnable);
    listed["not_runnable"] = json!(not_runnable);
    listed["transitions"].as_array_mut().into_iter().flatten().for_each(for_people);
    let sections: Vec<String> =
        SECTIONS.iter().filter_map(|(heading, key, cells)| section(heading, &listed[*key], cells)).collect();
    let nothing = match of_page {
        _ if !sections.is_empty() => None,
        true => Some("Nothing in this map applies to the page at this address.".to_owned()),
        false => Some("This map declares nothing.".to_owned()),
    };
    let texts = [prose("Prompt", &listed["prompt"]), prose("Skill", &listed["skill"])];
    let parts = title(&listed["surface"]).into_iter().chain(texts.into_iter().flatten());
    result(parts.chain(sections).chain(nothing).collect::<Vec<_>>().join("\n\n"));
}

/// Adds the columns of a transition that people read: where it goes, and what not to do.
fn for_people(transition: &mut Value) {
    let texts = |key: &str| -> Vec<&str> {
        transition[key].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
    };
    let way = format!("{} → {}", texts("from").join(" or "), texts("to").join(" or "));
    let warning = texts("do_not_use").join(" ");
    if !warning.is_empty() {
        transition["warning"] = json!(format!("do not use: {warning}"));
    }
    transition["way"] = json!(way);
}

/// Text, or an object of texts, under a heading.
fn prose(heading: &str, value: &Value) -> Option<String> {
    let lines = match value {
        Value::Null => return None,
        Value::String(text) => indented(text),
        Value::Object(members) => {
            let row = |(key, value): (&String, &Value)| {
                let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                vec![String::new(), line(key), line(&text)]
            };
            columns(&members.iter().map(row).collect::<Vec<_>>())
        }
        other => indented(&other.to_string()),
    };
    Some(format!("{heading}\n{lines}"))
}

/// The lines of a text, none of which can be taken for a heading.
fn indented(text: &str) -> String {
    visible(text).lines().map(|line| format!("  {line}").trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

fn title(surface: &Value) -> Option<String> {
    let words: Vec<String> =
        [&surface["name"], &surface["origin"]].into_iter().filter_map(Value::as_str).map(line).collect();
    (!words.is_empty()).then(|| words.join(" · "))
}

fn section(heading: &str, listed: &Value, cells: &[&str]) -> Option<String> {
    let rows = listed.as_array().filter(|rows| !rows.is_empty())?.iter();
    let row = |row: &Value| {
        let cells = cells.iter().map(|cell| line(row[*cell].as_str().unwrap_or("")));
        std::iter::once(String::new()).chain(cells).collect()
    };
    Some(format!("{heading}\n{}", columns(&rows.map(row).collect::<Vec<_>>())))
}
