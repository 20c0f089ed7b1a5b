//! End-to-end tests of the `actions` command, one file per subcommand or concern.

mod browser;
mod check;
mod confinement;
mod discover;
mod explain;
mod guide;
mod help;
mod hold;
mod identity;
mod import;
mod list;
mod mcp;
mod output;
mod playwright;
mod policy;
mod primitives;
mod progress;
mod record;
mod report;
mod run;
mod schema;
mod serve;
mod session;
mod state;
mod terminal;
mod test;
mod tools;
mod validate;
mod visitor;
mod wab;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The root of the repository, where the commands are run.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs `actions` from the root of the repository.
fn actions(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_actions"))
        .args(arguments)
        .current_dir(root())
        .env("NO_COLOR", "1")
        .output()
        .expect("the command starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

/// Formats the exit code and both streams.
fn seen(output: &Output) -> String {
    format!(
        "exit: {}\n--- stdout\n{}--- stderr\n{}",
        output.status.code().unwrap_or(-1),
        stdout(output),
        stderr(output)
    )
}
