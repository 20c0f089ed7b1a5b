//! `actions discover`: what a site publishes for agents.

use actions_engine::CallError;
use actions_interop::classify::System;
use actions_interop::discover::{Artefact, DiscoverOptions, Discovery, discover};
use actions_interop::fetch::Client;
use actions_protocol::{ErrorCode, Exit};
use clap::ValueEnum;
use url::Url;

use crate::agent_options::AgentOptions;
use crate::failure::{Around, explain};
use crate::live_session::block_on;
use crate::output::{self, note, result};
use crate::site_policy::{Experimental, obtain_options};
use crate::site_url::site;
use crate::text::{columns, line, short};

/// Finds out what a site publishes for agents: maps, manifests and its policy
///
/// Every place where a site may publish something is asked at once. A document is known by its content, wherever it is
/// found.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  actions discover https://example.com\n  actions discover https://example.com --system a2wf --format json"
)]
pub(crate) struct Arguments {
    /// Site to ask
    #[arg(value_name = "URL", value_parser = site)]
    url: Url,
    /// Look for documents of this system only: actions, wab, awp, awas, a2wf, webmcp
    #[arg(long, value_name = "SYSTEM", value_delimiter = ',', value_parser = system)]
    system: Vec<System>,
    /// Also read a draft of a standard
    #[arg(long, value_enum, value_name = "DRAFT")]
    experimental: Vec<Experimental>,
    #[command(flatten)]
    agent: AgentOptions,
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

fn system(text: &str) -> Result<System, String> {
    System::of_name(text).ok_or_else(|| {
        let names: Vec<&str> = System::ALL.iter().map(|system| system.as_str()).collect();
        format!("there is no system `{text}`; write one of {}", names.join(", "))
    })
}

pub(crate) fn run(arguments: Arguments) -> Exit {
    let found = match block_on(find(&arguments)) {
        Ok(found) => found,
        Err(error) => return refused(&error),
    };
    match arguments.format {
        Format::Json => output::json(&found.to_json()),
        Format::Human => human(&found),
    }
    if found.is_usable() {
        return Exit::Done;
    }
    let (code, message) = match found.is_unreachable() {
        true => (ErrorCode::TransportFailed, format!("{} cannot be reached", found.url)),
        false => {
            (ErrorCode::RemoteError, format!("{} publishes nothing for agents that can be used", found.url))
        }
    };
    refused(&CallError::new(code, message))
}

async fn find(arguments: &Arguments) -> Result<Discovery, CallError> {
    let client = Client::new(arguments.agent.identity())?;
    let options = DiscoverOptions {
        systems: arguments.system.iter().copied().collect(),
        policy: obtain_options(&arguments.experimental),
    };
    Ok(Box::pin(discover(&client, &arguments.url, &options)).await)
}

fn refused(error: &CallError) -> Exit {
    explain(error, Around::default());
    error.exit()
}

fn human(found: &Discovery) {
    let heading = ["system", "status", "version", "tools", "document"].map(str::to_owned).to_vec();
    let rows: Vec<Vec<String>> = [heading].into_iter().chain(found.artefacts.iter().map(row)).collect();
    result(columns(&rows));
    if found.is_unreachable() {
        return;
    }
    for artefact in &found.artefacts {
        for warning in &artefact.warnings {
            note(line(&short(&format!("{} {}: {warning}", artefact.system, artefact.url), 400)));
        }
    }
}

fn row(artefact: &Artefact) -> Vec<String> {
    let tools = artefact.tools.map(|tools| tools.to_string());
    vec![
        artefact.system.to_string(),
        artefact.status.as_str().to_owned(),
        line(artefact.version.as_deref().unwrap_or("-")),
        tools.unwrap_or_else(|| "-".to_owned()),
        line(&artefact.url),
    ]
}
