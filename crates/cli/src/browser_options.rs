//! Which browser is used.

use std::path::PathBuf;
use std::sync::Arc;

use actions_engine::browser::chromium::{self, AttachOptions, LaunchOptions, Reach};
use actions_engine::browser::{Browser, Error, SystemClock};
use actions_engine::{CallError, CancellationToken};
use actions_protocol::ErrorCode;

use crate::output::note;

/// The options every command with a browser has.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct BrowserOptions {
    /// The browser: a program, or the ws:// or http:// endpoint of a running one
    #[arg(long, env = "ACTIONS_BROWSER", value_name = "PATH|ENDPOINT")]
    browser: Option<String>,
    /// Show the browser's window
    #[arg(long)]
    headed: bool,
}

impl BrowserOptions {
    /// Makes sure that the options go together.
    pub(crate) fn check(&self) -> Result<(), CallError> {
        match &self.browser {
            Some(endpoint) if self.headed && is_endpoint(endpoint) => {
                let message =
                    format!("`--headed` is for a browser that is launched; {endpoint} runs already");
                Err(CallError::new(ErrorCode::WrongUsage, message)
                    .with_evidence("hint", "leave out `--headed`, or name a program with `--browser`"))
            }
            _ => Ok(()),
        }
    }

    /// Opens a browser, unless the work is cancelled before it is there: then nothing is left of it.
    pub(crate) async fn open_unless_cancelled(
        &self,
        reach: Reach,
        cancel: &CancellationToken,
    ) -> Option<Result<Arc<dyn Browser>, Error>> {
        tokio::select! {
            biased;
            () = cancel.cancelled() => {
                // The launch was given up a moment ago; if the program ended now, its folder would stay.
                chromium::launch::all_cleaned(&SystemClock).await;
                None
            }
            opened = self.open(reach) => Some(opened),
        }
    }

    /// Launches or attaches to a browser; what a person should know about it is told.
    async fn open(&self, reach: Reach) -> Result<Arc<dyn Browser>, Error> {
        match &self.browser {
            Some(endpoint) if is_endpoint(endpoint) => {
                if reach != Reach::Open {
                    note(
                        "note: this browser was not launched here; what its pages send over UDP (WebRTC) and the names they \
                         look up are not stopped",
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
                launched.notes.iter().for_each(|told| note(format_args!("note: {told}")));
                Ok(Arc::new(launched.browser))
            }
        }
    }
}

/// Whatever has a scheme is an endpoint; whether it is a good one is for the attaching to say.
fn is_endpoint(browser: &str) -> bool {
    browser.contains("://")
}
