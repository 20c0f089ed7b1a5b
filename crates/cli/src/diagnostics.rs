//! Prints diagnostics of the engine and the browser on standard error when `ACTIONS_LOG` asks for them.

use std::io::{IsTerminal, Write};

use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::output::note;

/// Prints what `ACTIONS_LOG` names: a level such as `debug`, or modules with levels such as
/// `actions_engine=debug,actions_browser=trace`.
pub(crate) fn init() {
    let Ok(wanted) = std::env::var("ACTIONS_LOG") else { return };
    if wanted.is_empty() {
        return;
    }
    match wanted.parse::<Targets>() {
        Ok(targets) => {
            let lines = tracing_subscriber::fmt::layer()
                .with_writer(|| Notes)
                .with_ansi(std::io::stderr().is_terminal());
            tracing_subscriber::registry().with(lines).with(targets).init();
        }
        Err(error) => note(format_args!("warning: ACTIONS_LOG is not understood: {error}")),
    }
}

/// Writes each diagnostic as a note, because what it reports comes from maps and pages.
struct Notes;

impl Write for Notes {
    fn write(&mut self, line: &[u8]) -> std::io::Result<usize> {
        note(String::from_utf8_lossy(line).trim_end());
        Ok(line.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
