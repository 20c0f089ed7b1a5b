//! Standard output carries results, standard error everything for the eye.

use std::fmt::Display;
use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use actions_protocol::Exit;
use indicatif::ProgressBar;
use serde::Serialize;

static WRITTEN: AtomicBool = AtomicBool::new(false);

/// Whether standard output takes nothing any more.
static CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether something of a result was lost, for another reason than that nobody wanted it.
static LOST: AtomicBool = AtomicBool::new(false);

/// Whether anything of a result has been written.
pub(crate) fn has_result() -> bool {
    WRITTEN.load(Ordering::Relaxed)
}

/// How a command ends that would end so if all of its result had been written.
pub(crate) fn exit(exit: Exit) -> Exit {
    match exit {
        Exit::Done if LOST.load(Ordering::Relaxed) => Exit::Unavailable,
        exit => exit,
    }
}

/// Writes one line of a result. A reader that has gone away wants no more of it and changes nothing else.
pub(crate) fn result(line: impl Display) {
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
