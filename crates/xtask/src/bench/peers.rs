//! Installs the libraries a benchmark compares with.

use crate::command_line::CommandLine;
use crate::failure::Failure;
use crate::workspace::{has_program, root};

/// Installs what a benchmark compares with, as its lock file says, unless it is there.
pub(super) fn install(folder: &str) -> Result<(), Failure> {
    if !["node", "npm"].into_iter().all(has_program) {
        let remedy = "apt-get install nodejs npm".to_owned();
        return Err(Failure::Missing { what: "node with npm", remedy });
    }
    if root().join(folder).join("node_modules").is_dir() {
        return Ok(());
    }
    CommandLine::new("npm", ["ci", "--prefix", folder, "--no-audit", "--no-fund"]).run()
}
