//! `actions session`: starts, lists and stops background sessions.

mod list;
mod start;
mod stop;

use actions_protocol::Exit;
use clap::Subcommand;

use crate::background::{SessionOptions, hold};

/// Keeps a browser session in the background, so that commands share its pages and its login
///
/// `actions run`, `state`, `list` and `primitives` work in the session with `--session NAME`.
#[derive(Debug, clap::Args)]
#[command(after_help = r#"Examples:
  actions session start work sites/example.com/actions.json \
    --replay sites/example.com/recordings/cart.har
  actions run --session work cart.add --arg item_id=night-trams --arg copies=2
  actions list --session work
  actions session list
  actions session stop work"#)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Start a session and open its start page
    #[command(after_help = r#"Example:
  actions session start board sites/board.example/board/actions.json \
    --replay sites/board.example/board/recordings/move_card.har"#)]
    Start(SessionOptions),
    /// List the sessions with their pages
    #[command(after_help = "Example:\n  actions session list")]
    List(list::Arguments),
    /// End a session, or all of them
    #[command(after_help = "Example:\n  actions session stop --all")]
    Stop(stop::Arguments),
    /// Hold a session: the process that `start` starts
    #[command(hide = true)]
    Hold(SessionOptions),
}

pub(crate) fn run(arguments: Arguments) -> Exit {
    match arguments.what {
        What::Start(options) => start::run(&options),
        What::List(arguments) => list::run(&arguments),
        What::Stop(arguments) => stop::run(&arguments),
        What::Hold(options) => hold(&options),
    }
}
