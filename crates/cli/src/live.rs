//! A browser for commands that need one, and the options they share.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use actions_engine::browser::chromium::{self, AttachOptions, LaunchOptions};
use actions_engine::browser::{Browser, Context, ContextOptions, Deadline, Error};
use actions_engine::{Limits, Policy};
use actions_protocol::Millis;

use crate::output::note;

/// The options every command with a browser has.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct LiveOptions {
    /// The page to start on, instead of the surface's own
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,
    /// The browser: a program, or the ws:// or http:// endpoint of a running one
    #[arg(long, env = "ACTIONS_BROWSER", value_name = "PATH|ENDPOINT")]
    browser: Option<String>,
    /// Show the browser's window
    #[arg(long)]
    headed: bool,
    /// How long the call may take, such as 500ms, 30s or 2m
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    pub(crate) timeout: Option<Duration>,
    /// The least time between two things a visitor would see, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 0)]
    pace: u64,
    /// Accept what published maps commonly get wrong
    #[arg(long)]
    pub(crate) lenient: bool,
    /// Let debug primitives run
    #[arg(long)]
    pub(crate) allow_debug: bool,
    /// Let functions of the page be called as handlers
    #[arg(long)]
    allow_handlers: bool,
    /// Let pages be on this origin too
    #[arg(long, value_name = "ORIGIN")]
    allow_origin: Vec<String>,
    /// Let files of this folder be uploaded
    #[arg(long, value_name = "DIR")]
    pub(crate) upload_from: Vec<PathBuf>,
}

impl LiveOptions {
    pub(crate) fn limits(&self) -> Limits {
        let defaults = Limits::default();
        let call_timeout = self.timeout.map_or(defaults.call_timeout, |wish| Millis(wish.as_millis() as u64));
        Limits { pace: Millis(self.pace), call_timeout, ..defaults }
    }

    pub(crate) fn policy(&self) -> Policy {
        Policy {
            allow_debug: self.allow_debug,
            allow_handlers: self.allow_handlers,
            allow_origins: self
                .allow_origin
                .iter()
                .map(|origin| origin.trim_end_matches('/').to_owned())
                .collect(),
            ..Policy::default()
        }
    }

    /// Launches or attaches to a browser; what a person should know about it is told.
    pub(crate) async fn open(&self) -> Result<Arc<dyn Browser>, Error> {
        match &self.browser {
            Some(endpoint) if endpoint.starts_with("ws://") || endpoint.starts_with("http://") => {
                Ok(Arc::new(chromium::attach(endpoint, AttachOptions::default()).await?))
            }
            program => {
                let executable = program.as_ref().map(PathBuf::from);
                let launched = chromium::launch(LaunchOptions {
                    executable,
                    headed: self.headed,
                    ..LaunchOptions::default()
                })
                .await?;
                launched.notes.iter().for_each(|told| note(format_args!("note: {told}")));
                Ok(Arc::new(launched.browser))
            }
        }
    }
}

/// How long opening a context may take.
const OPENING: Duration = Duration::from_secs(15);

/// A context of its own in a browser.
pub(crate) async fn context(browser: &dyn Browser) -> Result<Arc<dyn Context>, Error> {
    let deadline = Deadline::after(&*browser.clock(), OPENING);
    browser.new_context(ContextOptions::default(), deadline).await
}

/// Reads `500ms`, `30s`, `2m`, or bare seconds.
fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let number: f64 =
        number.parse().map_err(|_| format!("`{text}` is not a duration; write 500ms, 30s or 2m"))?;
    let seconds = match unit.trim() {
        "ms" => number / 1000.0,
        "" | "s" => number,
        "m" | "min" => number * 60.0,
        _ => return Err(format!("`{unit}` is not a unit of time; write ms, s or m")),
    };
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}
