//! Options of commands that work on a live page.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use actions_drift::Player;
use actions_engine::browser::chromium::Reach;
use actions_engine::browser::{Browser, Context, ContextOptions, Deadline, Error, origin_of};
use actions_engine::{AllowedOrigins, CallError, CancellationToken, Engine, Limits, Permits, Rules};
use actions_interop::identity::Identity;
use actions_manifest::CheckedManifest;
use actions_protocol::Millis;

use crate::browser_options::BrowserOptions;
use crate::identity_options::IdentityOptions;
use crate::network::Network;
use crate::site_policy::SitePolicyOptions;
use crate::time_limit::TimeLimit;

/// Options of commands that work on a live page.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct LiveOptions {
    /// Page to start on, instead of the start page of the map
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,
    #[command(flatten)]
    pub(crate) browser: BrowserOptions,
    /// Time limit of the whole command, such as 500ms, 30s or 2m
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    pub(crate) timeout: Option<Duration>,
    /// Minimum time between two visible actions, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 0)]
    pace: u64,
    /// Accept mistakes that are common in published maps
    #[arg(long)]
    pub(crate) lenient: bool,
    /// Allow debug primitives
    #[arg(long)]
    pub(crate) allow_debug: bool,
    /// Allow handlers: calls to functions of the page
    #[arg(long)]
    allow_handlers: bool,
    /// Also allow navigation to this origin
    #[arg(long, value_name = "ORIGIN", value_parser = origin)]
    allow_origin: Vec<String>,
    /// Accept a start page that comes with an HTTP error status
    #[arg(long)]
    pub(crate) allow_http_error: bool,
    #[command(flatten)]
    pub(crate) identity: IdentityOptions,
    #[command(flatten)]
    pub(crate) site_policy: SitePolicyOptions,
    /// Block all requests to other origins, not only navigation
    #[arg(long)]
    confine_subresources: bool,
    /// Allow uploads of files in this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) upload_from: Vec<PathBuf>,
}

impl LiveOptions {
    /// The engine of a map, with the limits and the policy of these options. It obeys the policies of sites.
    pub(crate) fn engine(&self, manifest: CheckedManifest) -> Engine {
        let engine = self.engine_of_recording(manifest);
        engine.with_policy(self.site_policy.around(self.rules()))
    }

    /// The engine of a map whose pages are recorded or may be: recordings are not sites, and nothing is asked of the site
    /// that was recorded.
    pub(crate) fn engine_for(&self, manifest: CheckedManifest, is_replay: bool) -> Engine {
        match is_replay {
            true => self.engine_of_recording(manifest),
            false => self.engine(manifest),
        }
    }

    /// The engine of a map whose pages are recorded.
    pub(crate) fn engine_of_recording(&self, manifest: CheckedManifest) -> Engine {
        Engine::new(manifest)
            .with_limits(self.limits())
            .with_policy(self.rules())
            .with_origins(self.origins())
            .allow_http_error(self.allow_http_error)
            .check_auth(self.identity.storage_state.is_some())
            .with_permits(Permits::default().upload_from(self.upload_from.clone()))
    }

    /// Who this command says it is, to sites that it talks to.
    pub(crate) fn identity_of_agent(&self) -> Identity {
        self.site_policy.agent.identity()
    }

    /// The options that were given and decide how a browser or a session starts.
    pub(crate) fn start_options(&self) -> Vec<&'static str> {
        let given = [
            (self.url.is_some(), "--url"),
            (self.browser.is_chosen(), "--browser"),
            (self.browser.headed(), "--headed"),
            (self.pace > 0, "--pace"),
            (self.lenient, "--lenient"),
            (self.allow_debug, "--allow-debug"),
            (self.allow_handlers, "--allow-handlers"),
            (!self.allow_origin.is_empty(), "--allow-origin"),
            (self.allow_http_error, "--allow-http-error"),
            (self.confine_subresources, "--confine-subresources"),
            (!self.upload_from.is_empty(), "--upload-from"),
            (self.identity.storage_state.is_some(), "--storage-state"),
            (self.site_policy.is_given(), "--site-policy"),
        ];
        given.into_iter().filter(|(given, _)| *given).map(|(_, name)| name).collect()
    }

    fn limits(&self) -> Limits {
        let defaults = Limits::default();
        let call_timeout = self.timeout.map_or(defaults.call_timeout, |wish| Millis(wish.as_millis() as u64));
        defaults.with(|limits| (limits.pace, limits.call_timeout) = (Millis(self.pace), call_timeout))
    }

    /// The time of the whole command.
    pub(crate) fn time(&self) -> TimeLimit {
        TimeLimit::of(self.timeout)
    }

    /// Fetches the policy of the site that is about to be opened.
    pub(crate) async fn prepare(&self, engine: &Engine, is_replay: bool) {
        let start = self.url.clone().or_else(|| engine.start_url());
        if let (Some(gate), Some(start), false) = (self.site_policy.gate(), start, is_replay) {
            gate.prepare(&start).await;
        }
    }

    /// What the pages of a browser send after its `User-Agent`, which names this program: who runs it. A recording answers
    /// whatever is sent, so nothing changes there.
    pub(crate) fn user_agent_suffix(&self, is_replay: bool) -> Option<String> {
        self.site_policy.agent.identity().suffix().filter(|_| !is_replay)
    }

    fn rules(&self) -> Rules {
        Rules::default().allow_debug(self.allow_debug).allow_handlers(self.allow_handlers)
    }

    fn origins(&self) -> AllowedOrigins {
        AllowedOrigins::default()
            .allow(self.allow_origin.iter().cloned())
            .confine_subresources(self.confine_subresources)
    }

    /// Opens a browser with the least network access it needs. Returns `None` if `cancel` fires first, and an error if
    /// the time of the command is over.
    pub(crate) async fn open(
        &self,
        is_replay: bool,
        quiet: bool,
        cancel: &CancellationToken,
    ) -> Result<Option<Arc<dyn Browser>>, CallError> {
        let reach = match (is_replay, self.confine_subresources) {
            (true, _) => Reach::Nowhere,
            (false, true) => Reach::Proxied,
            (false, false) => Reach::Open,
        };
        self.browser.open_unless_cancelled(reach, quiet, self.time(), cancel).await
    }
}

/// Time limit for opening a context.
const OPENING: Duration = Duration::from_secs(15);

/// Opens a new context in a browser.
pub(crate) async fn context(
    browser: &dyn Browser,
    options: ContextOptions,
    time: TimeLimit,
) -> Result<Arc<dyn Context>, Error> {
    let deadline = time.or_earlier(Deadline::after(&*browser.clock(), OPENING));
    browser.new_context(options, deadline).await
}

/// Returns the options of a context for a map: its confinement, and what happens to the requests of its pages.
pub(crate) fn context_options(engine: &Engine, network: &Network) -> ContextOptions {
    ContextOptions {
        confinement: engine.confinement(),
        replay: network.replay.clone(),
        recorder: network.recorder.clone(),
        report_failed_requests: network.report_failures,
        steady: network.steady,
        // What is recorded for a case is recorded as the case is played.
        locale: network.steady.map(|_| Player::locale()).unwrap_or_default(),
        ..ContextOptions::default()
    }
}

/// Parses an origin, such as `https://example.com`.
pub(crate) fn origin(text: &str) -> Result<String, String> {
    origin_of(text)
        .ok_or_else(|| format!("`{text}` is not an origin; write https://HOST or http://HOST:PORT"))
}

/// Parses `500ms`, `30s`, `2m`, or a number of seconds.
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
