//! A bar on the terminal that counts what is done of many things.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::output::live;

/// A bar that counts, on a terminal only.
pub(crate) struct CountingBar(Option<ProgressBar>);

impl CountingBar {
    /// Shows a bar, unless standard error is no terminal or nothing should be printed.
    pub(crate) fn new(all: usize, noun: &'static str, quiet: bool) -> Self {
        let shown = std::io::stderr().is_terminal() && !quiet;
        Self(shown.then(|| {
            let bar = ProgressBar::new(all as u64);
            if let Ok(style) =
                ProgressStyle::with_template("  {spinner} {bar:30} {pos} of {len} {msg}  {elapsed}")
            {
                bar.set_style(style);
            }
            bar.set_message(noun);
            bar.enable_steady_tick(Duration::from_millis(100));
            live(Some(bar.clone()));
            bar
        }))
    }

    /// One more is done.
    pub(crate) fn one_more(&self) {
        if let Some(bar) = &self.0 {
            bar.inc(1);
        }
    }

    /// Removes the bar.
    pub(crate) fn done(self) {
        if self.0.is_some() {
            live(None);
        }
    }
}
