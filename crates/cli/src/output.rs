//! Standard output carries results, standard error everything for the eye.

use std::fmt::Display;
use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use indicatif::ProgressBar;
use serde::Serialize;

static WRITTEN: AtomicBool = AtomicBool::new(false);

/// Whether anything of a result has been written.
pub(crate) fn has_result() -> bool {
    WRITTEN.load(Ordering::Relaxed)
}

/// Writes one line of a result. A reader that has gone away ends the program quietly.
pub(crate) fn result(line: impl Display) {
    WRITTEN.store(true, Ordering::Relaxed);
    let mut stdout = std::io::stdout().lock();
    if let Err(error) = writeln!(stdout, "{line}").and_then(|()| stdout.flush()) {
        if error.kind() == ErrorKind::BrokenPipe {
            std::process::exit(0);
        }
        note(format_args!("error: standard output: {error}"));
        std::process::exit(actions_protocol::Exit::Unavailable as i32);
    }
}

/// Writes one line of a result with colours; they are dropped where they are not wanted.
pub(crate) fn coloured(line: impl Display) {
    match anstream::AutoStream::choice(&std::io::stdout()) {
        anstream::ColorChoice::Never => result(anstream::adapter::strip_str(&line.to_string())),
        _ => result(line),
    }
}

/// Writes a result as JSON: pretty on a terminal, one line otherwise.
pub(crate) fn json(value: &impl Serialize) {
    let text = match std::io::stdout().is_terminal() {
        true => serde_json::to_string_pretty(value),
        false => serde_json::to_string(value),
    };
    result(text.expect("plain data serialises"));
}

/// The live line at the bottom of a terminal, while there is one.
static LIVE: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// Puts a live line below everything that is written from now on, or takes it away.
pub(crate) fn live(bar: Option<ProgressBar>) {
    let before = std::mem::replace(&mut *LIVE.lock().unwrap_or_else(PoisonError::into_inner), bar);
    if let Some(bar) = before {
        bar.finish_and_clear();
    }
}

/// Writes a line for the eye, above the live one; colours are dropped where they are not wanted.
pub(crate) fn note(line: impl Display) {
    let write = || {
        let mut stderr = anstream::stderr().lock();
        // Nothing can be done about a closed standard error.
        let _ = writeln!(stderr, "{line}");
    };
    match &*LIVE.lock().unwrap_or_else(PoisonError::into_inner) {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}
