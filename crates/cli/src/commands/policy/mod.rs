//! `actions policy`: the policy that a site publishes for agents.

mod check;
mod show;
mod validate;

use std::sync::Arc;

use actions_engine::CallError;
use actions_interop::a2wf::{SitePolicy, Store};
use actions_interop::fetch::Client;
use actions_protocol::Exit;
use clap::{Subcommand, ValueEnum};
use url::Url;

use crate::agent_options::AgentOptions;
use crate::failure::{Around, explain};
use crate::live_session::block_on;
use crate::site_policy::{Experimental, obtain_options};
use crate::site_url::site;

/// Shows, asks or validates the policy that a site publishes for agents
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  actions policy show https://example.com
  actions policy check https://example.com action.search --explain
  actions policy validate siteai.json")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Show the policy of a site, where it was found, and how much of it counts
    Show(show::Arguments),
    /// Say whether the policy of a site allows something
    Check(check::Arguments),
    /// Report every problem in a policy of your own
    Validate(validate::Arguments),
}

pub(crate) fn run(arguments: Arguments) -> Exit {
    match arguments.what {
        What::Show(arguments) => show::run(&arguments),
        What::Check(arguments) => check::run(&arguments),
        What::Validate(arguments) => validate::run(arguments),
    }
}

/// The site whose policy is asked for, and who asks.
#[derive(Debug, clap::Args)]
struct Asked {
    /// Site to ask
    #[arg(value_name = "URL", value_parser = site)]
    url: Url,
    #[command(flatten)]
    agent: AgentOptions,
    /// Also read a draft of a standard
    #[arg(long, value_enum, value_name = "DRAFT")]
    experimental: Vec<Experimental>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Human,
    /// One JSON object
    Json,
}

impl Asked {
    /// Fetches the policy of the site.
    fn policy(&self) -> Result<Arc<SitePolicy>, CallError> {
        block_on(async {
            let store = Store::new(Client::new(self.agent.identity())?, obtain_options(&self.experimental));
            let origin = self.url.origin().ascii_serialization();
            Ok(Box::pin(store.of(&origin)).await)
        })
    }
}

fn refused(error: &CallError) -> Exit {
    explain(error, Around::default());
    error.exit()
}
