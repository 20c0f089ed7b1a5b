//! What is told and kept of a call on its way.

use std::path::PathBuf;

/// The options of commands that perform a tool.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct WatchOptions {
    /// Keep events, the plan and pictures of the page in this folder, which must be new or empty
    #[arg(long, value_name = "DIR")]
    pub(crate) trace: Option<PathBuf>,
    /// Say nothing on the way
    #[arg(short, long, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Tell every step, even if nobody watches on a terminal; twice: every primitive, with its arguments and output
    #[arg(short, long, action = clap::ArgAction::Count)]
    pub(crate) verbose: u8,
}
