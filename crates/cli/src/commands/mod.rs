//! The table of subcommands. Each subcommand is one file: its arguments and its function side by side.

mod auth;
mod check;
mod completions;
mod discover;
mod explain;
mod import;
mod list;
mod mcp;
mod policy;
mod primitives;
mod record;
mod report;
mod run;
mod schema;
mod serve;
mod session;
mod state;
mod test;
mod validate;

use actions_protocol::Exit;
use clap::Subcommand;

macro_rules! commands {
    ($($(#[doc = $doc:literal])+ $variant:ident $module:ident;)+) => {
        #[derive(Debug, Subcommand)]
        pub(crate) enum Command {
            $($(#[doc = $doc])+ $variant($module::Arguments),)+
        }

        impl Command {
            pub(crate) fn run(self) -> Exit {
                match self {
                    $(Command::$variant(arguments) => $module::run(arguments),)+
                }
            }
        }
    };
}

impl Command {
    /// Whether stdout must carry exactly one bridge item, even after a panic.
    pub(crate) fn promises_item(&self) -> bool {
        match self {
            Command::Run(arguments) => arguments.item,
            Command::State(arguments) => arguments.promises_item(),
            _ => false,
        }
    }
}

commands! {
    /// Run one tool of a map
    Run run;
    /// Run a tool, or only open its page, and record the network traffic as a HAR file
    Record record;
    /// Find out whether sites still match their maps
    Check check;
    /// Play regression cases on recorded pages
    Test test;
    /// Make one page from traces and from the results of checks and cases
    Report report;
    /// Read the state of a page, a summary of it, or what changed
    State state;
    /// Serve the pages of maps to agents, by the Actions Bridge Protocol
    Serve serve;
    /// Serve maps to agents that speak MCP, the Model Context Protocol
    Mcp mcp;
    /// Keep a browser session between commands
    Session session;
    /// Report every problem in maps, with its code, position and fix
    Validate validate;
    /// Find out what a site publishes for agents
    Discover discover;
    /// Show, ask or validate the policy of a site for agents
    Policy policy;
    /// Explain a validation rule or an error code
    Explain explain;
    /// List what a map declares
    List list;
    /// Make a map of what a site publishes for agents: AWAS or AWP
    Import import;
    /// Store, list and remove credentials for sites
    Auth auth;
    /// Show the dictionary of primitives, or try one on a page
    Primitives primitives;
    /// Print the JSON Schema of actions.json, for editors
    Schema schema;
    /// Print a completion script for a shell
    Completions completions;
}
