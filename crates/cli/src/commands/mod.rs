//! One file per subcommand: its arguments and its function side by side.

mod completions;
mod explain;
mod list;
mod primitives;
mod record;
mod run;
mod schema;
mod state;
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
    /// Whether exactly one item is written, whatever happens.
    pub(crate) fn promises_item(&self) -> bool {
        match self {
            Command::Run(arguments) => arguments.item,
            Command::State(arguments) => arguments.promises_item(),
            _ => false,
        }
    }
}

commands! {
    /// Perform one tool of a map
    Run run;
    /// Perform a tool, or open the page, and keep what the network said as a HAR file
    Record record;
    /// Read the state of a page, a summary of it, or what changed
    State state;
    /// Report every finding in maps, with its code, place and remedy
    Validate validate;
    /// Tell the story of a rule or an error code
    Explain explain;
    /// List what a map declares
    List list;
    /// Show the dictionary of primitives
    Primitives primitives;
    /// Print the JSON Schema of actions.json, for editors
    Schema schema;
    /// Print a completion script for a shell
    Completions completions;
}
