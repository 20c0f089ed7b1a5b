//! Options that choose the browser, and the code that launches it or attaches to it.

use std::path::PathBuf;
use std::sync::Arc;

use actions_engine::browser::chromium::{self, AttachOptions, LaunchOptions, Reach};
use actions_engine::browser::{Browser, Clock, Error, SystemClock};
use actions_engine::{CallError, CancellationToken};
use actions_primitives::Failure;
use actions_protocol::ErrorCode;

use crate::output::note;
use crate::time_limit::TimeLimit;

/// Options of every command that uses a browser.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct BrowserOptions {
    /// Browser to use: a program, or the ws:// or http:// endpoint of a running browser
    #[arg(long, env = "ACTIONS_BROWSER", hide_env_values = true, value_name = "PATH|ENDPOINT")]
    browser: Option<String>,
    /// Show the browser window
    #[arg(long)]
    headed: bool,
}

impl BrowserOptions {
    /// Whether `--browser` chooses the browser, and not the environment.
    pub(crate) fn is_chosen(&self) -> bool {
        self.browser.is_some() && self.browser != std::env::var("ACTIONS_BROWSER").ok()
    }

    /// Whether the window is shown.
    pub(crate) fn headed(&self) -> bool {
        self.headed
    }

    /// Rejects options that contradict each other.
    pub(crate) fn check(&self) -> Result<(), CallError> {
        match &self.browser {
            Some(endpoint) if self.headed && is_endpoint(endpoint) => {
                let message = format!(
                    "`--headed` applies only to a browser that this command launches; {endpoint} is already running"
                );
                Err(CallError::new(ErrorCode::WrongUsage, message)
                    .with_evidence("hint", "remove `--headed`, or pass a program to `--browser`"))
            }
            _ => Ok(()),
        }
    }

    /// Opens a browser. Returns `None` if `cancel` fires first, and an error if the time is over. An aborted launch is
    /// cleaned up.
    pub(crate) async fn open_unless_cancelled(
        &self,
        reach: Reach,
        quiet: bool,
        time: TimeLimit,
        cancel: &CancellationToken,
    ) -> Result<Option<Arc<dyn Browser>>, CallError> {
        let missing = || match &self.browser {
            Some(endpoint) if is_endpoint(endpoint) => format!("the browser at {endpoint} did not answer"),
            _ => "the browser did not start".to_owned(),
        };
        let opened = tokio::select! {
            biased;
            () = cancel.cancelled() => Ok(None),
            opened = time.within(missing, self.open(reach, quiet)) => opened.map(Some),
        };
        if let Ok(Some(opened)) = opened {
            return opened.map(Some).map_err(|error| CallError::from(Failure::from(error)));
        }
        // The launch was just aborted. Exiting now would leave its profile folder behind.
        tokio::select! {
            () = chromium::launch::all_cleaned(&SystemClock) => {}
            () = SystemClock.sleep_until(time.closing().at()) => {}
        }
        opened.map(|_| None)
    }

    /// Launches a browser or attaches to one, and prints the notes about it unless `quiet`.
    async fn open(&self, reach: Reach, quiet: bool) -> Result<Arc<dyn Browser>, Error> {
        match &self.browser {
            Some(endpoint) if is_endpoint(endpoint) => {
                if reach != Reach::Open && !quiet {
                    note(
                        "note: this command did not launch the browser, so it cannot block UDP traffic (WebRTC) and DNS lookups",
                    );
                }
                Ok(Arc::new(
                    chromium::attach(endpoint, AttachOptions { reach, ..AttachOptions::default() }).await?,
                ))
            }
            program => {
                let executable = program.as_ref().map(PathBuf::from);
                let launched = chromium::launch(LaunchOptions {
                    executable,
                    headed: self.headed,
                    reach,
                    ..LaunchOptions::default()
                })
                .await?;
                if !quiet {
                    launched.notes.iter().for_each(|text| note(format_args!("note: {text}")));
                }
                Ok(Arc::new(launched.browser))
            }
        }
    }
}

/// Anything with a scheme is an endpoint; `attach` rejects schemes it does not support.
fn is_endpoint(browser: &str) -> bool {
    browser.contains("://")
}
