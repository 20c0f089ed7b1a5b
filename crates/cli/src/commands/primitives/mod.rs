//! `actions primitives`: shows the dictionary, or tries a primitive on a page.

mod attempt;

use std::path::PathBuf;
use std::time::Duration;

use actions_dictionary::{Dictionary, Field, Primitive, fields};
use actions_engine::CallError;
use actions_protocol::{ErrorCode, Exit};
use clap::ValueEnum;
use serde_json::Value;

use crate::browser_options::BrowserOptions;
use crate::failure::{Around, explain};
use crate::identity_options::IdentityOptions;
use crate::live::duration;
use crate::output::{self, result};
use crate::site_policy::SitePolicyOptions;
use crate::text::columns;

/// Shows the dictionary of primitives, or tries one on a page
#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("place").args(["url", "session"])), after_help = r#"Examples:
  actions primitives
  actions primitives pointer.click
  actions primitives locator.text_content --try https://example.com \
    --args '{"locator": {"selector": "h1"}}'"#)]
pub(crate) struct Arguments {
    /// Primitive to show in full; lists all primitives if absent
    name: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human, value_name = "FORMAT")]
    format: Format,
    /// Perform the primitive on this page and print its output and cost
    #[arg(long = "try", value_name = "URL", requires = "name", conflicts_with = "session")]
    url: Option<String>,
    /// Perform the primitive on a page of this background session
    #[arg(long, value_name = "NAME", requires = "name")]
    session: Option<String>,
    /// Page of the session: its number, its id, or a part of its address or title
    #[arg(long, value_name = "PAGE", requires = "session")]
    page: Option<String>,
    /// Arguments of the primitive as JSON, @FILE to read them from a file, or - to read standard input
    #[arg(long, value_name = "JSON|@FILE|-", default_value = "{}", requires = "place")]
    args: String,
    /// Time limit of the whole attempt, such as 500ms, 30s or 2m
    #[arg(long, value_name = "DURATION", value_parser = duration, requires = "place")]
    timeout: Option<Duration>,
    /// Allow debug primitives
    #[arg(long, requires = "url")]
    allow_debug: bool,
    /// Allow uploads of files in this folder
    #[arg(long, value_name = "DIR", requires = "url")]
    upload_from: Vec<PathBuf>,
    #[command(flatten)]
    identity: IdentityOptions,
    #[command(flatten)]
    site_policy: SitePolicyOptions,
    #[command(flatten)]
    browser: BrowserOptions,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Human,
    /// JSON: an object for one primitive, an array for all
    Json,
}

pub(crate) fn run(arguments: Arguments) -> Exit {
    let dictionary = Dictionary::builtin();
    let Some(name) = &arguments.name else {
        match arguments.format {
            Format::Human => result(table(dictionary)),
            Format::Json => output::json(&dictionary.iter().collect::<Vec<_>>()),
        }
        return Exit::Done;
    };
    let Some(primitive) = dictionary.get(name) else {
        let hint = match dictionary.closest(name) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`actions primitives` lists them all".to_owned(),
        };
        let message = format!("there is no primitive `{name}`");
        let error = CallError::new(ErrorCode::UnknownAction, message).with_evidence("hint", hint);
        explain(&error, Around::default());
        return error.exit();
    };
    if let Some(session) = &arguments.session {
        return attempt::in_session(primitive, session, &arguments);
    }
    if let Some(url) = &arguments.url {
        return attempt::run(primitive, url, &arguments);
    }
    match arguments.format {
        Format::Human => result(in_full(primitive)),
        Format::Json => output::json(primitive),
    }
    Exit::Done
}

fn table(dictionary: &Dictionary) -> String {
    let rows: Vec<Vec<String>> = dictionary
        .iter()
        .map(|primitive| {
            let effect = if primitive.mutating { "mutating" } else { "reading" };
            let note = if primitive.support.is_performed() { "" } else { " (not performed by this engine)" };
            vec![
                primitive.name.clone(),
                primitive.class.as_str().to_owned(),
                effect.to_owned(),
                format!("{}{note}", primitive.summary),
            ]
        })
        .collect();
    columns(&rows)
}

fn in_full(primitive: &Primitive) -> String {
    let effect = if primitive.mutating { "mutating" } else { "reading" };
    let mut text =
        format!("{} ({}, {effect})\n\n{}\n", primitive.name, primitive.class.as_str(), primitive.description);
    text += &section("Arguments", &primitive.arguments());
    text += &section("Output", &primitive.results());
    text += &types(primitive);
    let errors: Vec<Vec<String>> = primitive
        .errors
        .iter()
        .map(|error| vec![String::new(), error.code.to_string(), error.when.clone()])
        .collect();
    if !errors.is_empty() {
        text += &format!("\nErrors\n{}\n", columns(&errors));
    }
    for example in &primitive.examples {
        text += &format!("\nExample\n  {}\n  → {}\n", compact(&example.args), compact(&example.output));
    }
    text.trim_end().to_owned()
}

/// Explains the types that arguments and outputs name.
fn types(primitive: &Primitive) -> String {
    let mut named: Vec<(&String, &Value)> = Vec::new();
    for schema in [primitive.input_schema(), primitive.output_schema()] {
        for (name, kind) in schema["$defs"].as_object().into_iter().flatten() {
            if !named.iter().any(|(known, _)| *known == name) {
                named.push((name, kind));
            }
        }
    }
    let mut text = String::new();
    for (name, kind) in named {
        let about = kind["description"].as_str().unwrap_or_default();
        text += &section(&format!("Type {name}: {about}"), &fields(kind));
        if fields(kind).is_empty() {
            text += &format!("\nType {name}: {about} {}\n", shape(kind)).replace("  ", " ");
        }
    }
    text
}

/// Formats what a type without fields may be: its words, or its type.
fn shape(kind: &Value) -> String {
    let words = kind["enum"].as_array().map(|words| words.iter().map(Value::to_string).collect::<Vec<_>>());
    match (words, kind["type"].as_str()) {
        (Some(words), _) => format!("One of {}.", words.join(", ")),
        (None, Some(word)) => format!("({word})"),
        (None, None) => String::new(),
    }
}

fn section(heading: &str, fields: &[Field<'_>]) -> String {
    let rows: Vec<Vec<String>> = fields
        .iter()
        .map(|field| {
            let mark = if field.required { "*" } else { "" };
            let default = field.default.map(|value| format!(" Default {value}.")).unwrap_or_default();
            let name = format!("{}{mark}", field.name);
            vec![String::new(), name, field.kind.clone(), format!("{}{default}", field.description)]
        })
        .collect();
    if rows.is_empty() { String::new() } else { format!("\n{heading}\n{}\n", columns(&rows)) }
}

fn compact(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("plain data serialises")
}
