//! A warm `actions run --session` beside a warm command of agent-browser, and the memory of a session: see bench/README.md.

use std::env;

use super::peers;
use crate::command_line::CommandLine;
use crate::failure::Failure;
use crate::program::target;
use crate::workspace::root;

/// How many rounds count.
const ROUNDS: &str = "30";

/// Measures both, in turns, and writes bench/results/session.json.
pub(crate) fn run() -> Result<(), Failure> {
    peers::install("bench/hostile")?;
    CommandLine::cargo(["build", "--release", "--quiet", "--package", "actions-cli"]).run()?;
    let program = target()?.join("release/actions").display().to_string();
    let browser = env::var("ACTIONS_BROWSER").unwrap_or_else(|_| "/usr/bin/chromium".to_owned());
    let result = root().join("bench/results/session.json").display().to_string();
    let script = "bench/session/race.mjs";
    CommandLine::new("node", [script, &program, &browser, &result, ROUNDS]).run()
}
