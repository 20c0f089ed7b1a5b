//! `actions session stop`: ends a session, or all of them.

use actions_engine::CallError;
use actions_protocol::Exit;

use crate::background::{Place, all, stop};
use crate::failure::{Around, explain};
use crate::live_session::block_on;
use crate::output::note;
use crate::text::line;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Session to end
    #[arg(required_unless_present = "all", conflicts_with = "all")]
    name: Option<String>,
    /// End all sessions
    #[arg(long)]
    all: bool,
    /// Print nothing
    #[arg(short, long)]
    quiet: bool,
}

pub(super) fn run(arguments: &Arguments) -> Exit {
    let places = match &arguments.name {
        Some(name) => Place::of(name).map(|place| vec![place]),
        None => all(),
    };
    let places = match places {
        Ok(places) => places,
        Err(error) => return refused(&error),
    };
    let mut exit = Exit::Done;
    for place in &places {
        match block_on(stop(place)) {
            Ok(()) if arguments.quiet => {}
            Ok(()) => note(format!("session `{}` has ended", line(&place.name))),
            Err(error) => exit = refused(&error),
        }
    }
    if places.is_empty() && !arguments.quiet {
        note("no session is open");
    }
    exit
}

fn refused(error: &CallError) -> Exit {
    explain(error, Around::default());
    error.exit()
}
