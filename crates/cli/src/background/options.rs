//! The options that start a background session. They are given to `session start`, which hands them to its process.

use std::path::PathBuf;
use std::time::Duration;

use crate::live::{LiveOptions, duration};
use crate::replay_option::ReplayOption;

/// The options that start a background session.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct SessionOptions {
    /// Name of the session
    pub(crate) name: String,
    /// Maps of the session, or folders that contain them; the first map decides where the session starts
    #[arg(required = true)]
    pub(crate) maps: Vec<PathBuf>,
    /// End the session after this time without a call, such as 90s or 30m
    #[arg(long, value_name = "DURATION", value_parser = duration, default_value = "30m")]
    pub(crate) idle: Duration,
    /// End the session when the process that started this command ends, such as the shell
    #[arg(long)]
    pub(crate) with_parent: bool,
    /// The process that `--with-parent` means; set by `session start`
    #[arg(long, hide = true, value_name = "PID")]
    pub(crate) parent: Option<i32>,
    /// Print nothing but the result
    #[arg(short, long)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) live: LiveOptions,
    #[command(flatten)]
    pub(crate) replay: ReplayOption,
}
