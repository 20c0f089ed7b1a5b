//! Writes results to standard output and everything else to standard error. This is the only module that prints, so
//! whatever is printed for people is escaped here at the latest.

use std::fmt::Display;
use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use actions_protocol::Exit;
use indicatif::ProgressBar;
use serde::Serialize;

use crate::text::{styled, visible, visible_json};

/// Whether any result was written.
static WRITTEN: AtomicBool = AtomicBool::new(false);

/// Whether standard output is closed or failed.
static CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether part of a result was lost because of an error other than a closed pipe.
static LOST: AtomicBool = AtomicBool::new(false);

/// Whether any result was written.
pub(crate) fn has_result() -> bool {
    WRITTEN.load(Ordering::Relaxed)
}

/// Downgrades `Done` to `Unavailable` if standard output lost part of the result.
pub(crate) fn exit(exit: Exit) -> Exit {
    match exit {
        Exit::Done if LOST.load(Ordering::Relaxed) => Exit::Unavailable,
        exit => exit,
    }
}

/// Writes text for people as a result.
pub(crate) fn result(text: impl Display) {
    write(visible(&text.to_string()));
}

/// Writes text of our own as a result, with every character as it is.
pub(crate) fn verbatim(text: &str) {
    write(text);
}

/// Writes one line of a result. A closed pipe is not an error: the rest is dropped silently.
fn write(line: impl Display) {
    WRITTEN.store(true, Ordering::Relaxed);
    if CLOSED.load(Ordering::Relaxed) {
        return;
    }
    let mut stdout = std::io::stdout().lock();
    let Err(error) = writeln!(stdout, "{line}").and_then(|()| stdout.flush()) else { return };
    CLOSED.store(true, Ordering::Relaxed);
    if error.kind() != ErrorKind::BrokenPipe {
        LOST.store(true, Ordering::Relaxed);
        note(format_args!("error: standard output: {error}"));
    }
}

/// Writes one line of a result with colours, and strips them where they are not supported or wanted.
pub(crate) fn coloured(line: impl Display) {
    let line = styled(&line.to_string());
    match anstream::AutoStream::choice(&std::io::stdout()) {
        anstream::ColorChoice::Never => write(anstream::adapter::strip_str(&line)),
        _ => write(line),
    }
}

/// Writes a result as JSON: pretty on a terminal, one line otherwise.
pub(crate) fn json(value: &impl Serialize) {
    let text = match std::io::stdout().is_terminal() {
        true => serde_json::to_string_pretty(value),
        false => serde_json::to_string(value),
    };
    json_text(&text.expect("plain data serialises"));
}

/// Writes JSON that is text already. A terminal gets escapes for what it could not show.
pub(crate) fn json_text(text: &str) {
    match std::io::stdout().is_terminal() {
        true => write(visible_json(text)),
        false => write(text),
    }
}

/// The live line at the bottom of the terminal, if there is one.
static LIVE: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// Sets or removes the live line, which stays below everything written later.
pub(crate) fn live(bar: Option<ProgressBar>) {
    let before = std::mem::replace(&mut *LIVE.lock().unwrap_or_else(PoisonError::into_inner), bar);
    if let Some(bar) = before {
        bar.finish_and_clear();
    }
}

/// Writes a line to standard error, above the live line; strips colours where they are not wanted.
pub(crate) fn note(line: impl Display) {
    let line = styled(&line.to_string());
    let write = || {
        let mut stderr = anstream::stderr().lock();
        // A closed standard error leaves nowhere to report to.
        let _ = writeln!(stderr, "{line}");
    };
    match &*LIVE.lock().unwrap_or_else(PoisonError::into_inner) {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}
