//! Starts the two browsers: the headless shell and Chromium.

use actions_browser::chromium::{self, ChromiumBrowser, LaunchOptions};

/// A browser that performs the cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    HeadlessShell,
    Chromium,
}

impl Kind {
    /// Starts the browser. The headless shell isolates sites only with an option; Chromium always does.
    pub(crate) async fn launch(self) -> ChromiumBrowser {
        let whole = self == Kind::Chromium;
        let found = chromium::launch::find(None, whole).expect("a browser is installed");
        let extra_args = if whole { Vec::new() } else { vec!["--site-per-process".to_owned()] };
        let options = LaunchOptions { executable: Some(found.path), extra_args, ..LaunchOptions::default() };
        chromium::launch(options).await.expect("the browser starts").browser
    }
}
