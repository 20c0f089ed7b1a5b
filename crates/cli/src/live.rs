//! The options that commands which perform a map share.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use actions_engine::browser::chromium::Reach;
use actions_engine::browser::{
    Browser, Context, ContextOptions, Deadline, Error, Recorder, Replay, origin_of,
};
use actions_engine::{CancellationToken, Engine, Limits, Policy};
use actions_protocol::Millis;

use crate::browser_options::BrowserOptions;

/// The options every command with a browser has.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct LiveOptions {
    /// The page to start on, instead of the surface's own
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,
    #[command(flatten)]
    pub(crate) browser: BrowserOptions,
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
    /// Let pages go to this origin too
    #[arg(long, value_name = "ORIGIN", value_parser = origin)]
    allow_origin: Vec<String>,
    /// Keep everything a page asks for on the allowed origins, not only where it goes
    #[arg(long)]
    confine_subresources: bool,
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
            allow_origins: self.allow_origin.iter().cloned().collect(),
            confine_subresources: self.confine_subresources,
            ..Policy::default()
        }
    }

    /// Launches or attaches to a browser that reaches only as far as it must; none if the work is cancelled before.
    pub(crate) async fn open(
        &self,
        is_replay: bool,
        cancel: &CancellationToken,
    ) -> Option<Result<Arc<dyn Browser>, Error>> {
        let reach = match (is_replay, self.confine_subresources) {
            (true, _) => Reach::Nowhere,
            (false, true) => Reach::Proxied,
            (false, false) => Reach::Open,
        };
        self.browser.open_unless_cancelled(reach, cancel).await
    }
}

/// How long opening a context may take.
const OPENING: Duration = Duration::from_secs(15);

/// A context of its own in a browser.
pub(crate) async fn context(
    browser: &dyn Browser,
    options: ContextOptions,
) -> Result<Arc<dyn Context>, Error> {
    let deadline = Deadline::after(&*browser.clock(), OPENING);
    browser.new_context(options, deadline).await
}

/// How a context for a map is opened: where its pages may go, and what their network is.
pub(crate) fn context_options(
    engine: &Engine,
    replay: Option<Arc<Replay>>,
    recorder: Option<Arc<Recorder>>,
) -> ContextOptions {
    ContextOptions { confinement: engine.confinement(), replay, recorder, ..ContextOptions::default() }
}

/// Reads an origin, such as `https://example.com`.
fn origin(text: &str) -> Result<String, String> {
    origin_of(text)
        .ok_or_else(|| format!("`{text}` is not an origin; write https://HOST or http://HOST:PORT"))
}

/// Reads `500ms`, `30s`, `2m`, or bare seconds.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
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
