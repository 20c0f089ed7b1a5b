//! The `actions` command: validates, explains and runs actions.json site maps.

mod address;
mod agent_options;
mod background;
mod baseline;
mod browser_options;
mod bug;
mod calling;
mod changes;
mod commands;
mod consent_options;
mod credentials;
mod diagnostics;
mod enforced_policy;
mod failure;
mod findings;
mod gate_options;
mod held;
mod hint;
mod host;
mod hosting;
mod identity_options;
mod interrupt;
mod item;
mod json_argument;
mod junit;
mod listing;
mod live;
mod live_session;
mod maps;
mod network;
mod output;
mod output_file;
mod profile_folder;
mod progress_bar;
mod published;
mod recording;
mod replay_option;
mod session_options;
mod site_policy;
mod site_url;
mod text;
mod time_limit;
mod token_file;
mod tool_input;
mod trace_folder;
mod usage;
mod verified_by;
mod watch_options;

use std::process::ExitCode;

use clap::Parser;

use commands::Command;

/// Validates actions.json site maps and runs their tools in headless Chromium
#[derive(Debug, Parser)]
#[command(
    name = "actions",
    version,
    propagate_version = true,
    max_term_width = 100,
    after_help = "Environment:
  ACTIONS_BROWSER  Browser to use, like --browser
  ACTIONS_LOG      Log to standard error: debug, or by module: actions_engine=debug
  NO_COLOR         Print no colours"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    time_limit::begin();
    let command = match Cli::try_parse() {
        Ok(cli) => cli.command,
        Err(error) => return ExitCode::from(usage::report(&error, std::env::args_os()) as u8),
    };
    diagnostics::init();
    let exit = bug::guarded(command.promises_item(), || command.run());
    ExitCode::from(output::exit(exit) as u8)
}
