//! The options that start a background session. They are given to `session start`, which hands them to its process.

use std::path::PathBuf;
use std::time::Duration;

use crate::hosting::Hosting;
use crate::live::duration;

/// The options that start a background session.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct SessionOptions {
    /// Name of the session
    pub(crate) name: String,
    /// End the session after this time without a call, such as 90s or 30m
    #[arg(long, value_name = "DURATION", value_parser = duration, default_value = "30m")]
    pub(crate) idle: Duration,
    /// Also serve a page for people on this machine: what runs, live pictures, forms for the tools
    #[arg(long)]
    pub(crate) ui: bool,
    /// Keep cookies and storage in this folder from one session to the next; one session at a time can use it
    #[arg(long, value_name = "DIR", conflicts_with = "storage_state")]
    pub(crate) profile: Option<PathBuf>,
    /// End the session when the process that started this command ends, such as the shell
    #[arg(long)]
    pub(crate) with_parent: bool,
    /// The process that `--with-parent` means; set by `session start`
    #[arg(long, hide = true, value_name = "PID")]
    pub(crate) parent: Option<i32>,
    #[command(flatten)]
    pub(crate) hosting: Hosting,
}
