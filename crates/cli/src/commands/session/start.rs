//! `actions session start`: starts the process of a session and shows the page it opened.

use std::time::Duration;

use actions_engine::{CallError, CancellationToken};
use actions_protocol::{ErrorCode, Exit};

use crate::background::{Place, SessionOptions, Spawned, spawn};
use crate::failure::{Around, explain};
use crate::interrupt;
use crate::live_session::block_on;
use crate::output::{note, result};
use crate::session_options::refuse_saving;
use crate::text::line;

pub(super) fn run(options: &SessionOptions) -> Exit {
    let started = check(options).and_then(|()| {
        block_on(async {
            let cancel = CancellationToken::new();
            let _listening = interrupt::listen(cancel.clone());
            spawn(&cancel).await
        })
    });
    match started {
        Ok(Spawned { info, page }) => {
            super::list::page_lines(&info).into_iter().for_each(result);
            if let Some(page) = page {
                note(format_args!("page for people: {page}"));
            }
            if !options.hosting.quiet {
                let name = line(&info.name);
                note(format!(
                    "session `{name}` is open; it ends after {} without a call, or with `actions session stop {name}`",
                    spoken(options.idle)
                ));
            }
            Exit::Done
        }
        Err(error) => {
            explain(&error, Around::default());
            error.exit()
        }
    }
}

/// Refuses what cannot start, before a process is started.
fn check(options: &SessionOptions) -> Result<(), CallError> {
    let place = Place::of(&options.name)?;
    options.hosting.live.browser.check()?;
    refuse_saving(&options.hosting.live)?;
    if place.occupant().is_none() {
        return Ok(());
    }
    let name = &options.name;
    Err(CallError::new(ErrorCode::WrongUsage, format!("there is already a session `{name}`")).with_evidence(
        "hint",
        format!("use it with `--session {name}`, or end it with `actions session stop {name}`"),
    ))
}

/// A duration as it is typed, such as `30m`.
fn spoken(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match () {
        () if duration.subsec_nanos() > 0 => format!("{duration:?}"),
        () if seconds >= 60 && seconds.is_multiple_of(60) => format!("{}m", seconds / 60),
        () => format!("{seconds}s"),
    }
}
