//! Options for what a call prints and saves while it runs.

use std::path::PathBuf;

/// Options of commands that run a tool.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct WatchOptions {
    /// Save events, the plan and screenshots in this folder, which must be new or empty
    #[arg(long, value_name = "DIR")]
    pub(crate) trace: Option<PathBuf>,
    /// Print no progress
    #[arg(short, long, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Print every step, even without a terminal; twice: every primitive with its arguments and output
    #[arg(short, long, action = clap::ArgAction::Count)]
    pub(crate) verbose: u8,
}
