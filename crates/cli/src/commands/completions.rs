//! `actions completions`: prints a completion script for a shell.

use actions_protocol::Exit;
use clap::CommandFactory;
use clap_complete::Shell;

use crate::output::verbatim;

/// Prints a completion script for a shell.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  actions completions bash > ~/.local/share/bash-completion/completions/actions"
)]
pub(crate) struct Arguments {
    /// Shell to complete for
    shell: Shell,
}

pub(crate) fn run(arguments: Arguments) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut crate::Cli::command(), "actions", &mut script);
    verbatim(String::from_utf8_lossy(&script).trim_end());
    Exit::Done
}
