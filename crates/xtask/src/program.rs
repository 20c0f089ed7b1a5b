//! A program of the workspace.

use std::path::PathBuf;

use crate::{command_line::CommandLine, failure::Failure};

/// A program of the workspace that has been built.
pub(crate) struct Program(PathBuf);

impl Program {
    /// Builds a program with the features of the tests: what they have built already is not built again.
    ///
    /// For one package alone cargo would choose the features again, and build every dependency a second time.
    pub(crate) fn build(name: &str) -> Result<Self, Failure> {
        let build = ["build", "--quiet", "--workspace", "--all-features", "--bin", name];
        CommandLine::cargo(build).run()?;
        Ok(Self(target()?.join("debug").join(name)))
    }

    /// The program with these arguments.
    pub(crate) fn command(&self, arguments: impl IntoIterator<Item = impl Into<String>>) -> CommandLine {
        CommandLine::at(&self.0, arguments)
    }
}

/// The variable that names a program to measure in place of one that is built for it.
const MEASURED: &str = "ACTIONS_MEASURED";

/// The `actions` that is measured: built in release mode, unless the person names another one.
pub(crate) fn measured() -> Result<PathBuf, Failure> {
    if let Some(named) = std::env::var_os(MEASURED) {
        println!("    {MEASURED}={}: this program is measured, however it was built", named.display());
        return Ok(PathBuf::from(named));
    }
    CommandLine::cargo(["build", "--release", "--quiet", "--package", "actions-cli"]).run()?;
    Ok(target()?.join("release/actions"))
}

/// The folder cargo builds into, wherever the person has put it.
pub(crate) fn target() -> Result<PathBuf, Failure> {
    let metadata = CommandLine::cargo(["metadata", "--no-deps", "--format-version", "1"]).output()?;
    let metadata: serde_json::Value = serde_json::from_slice(&metadata).unwrap_or_default();
    let target = metadata["target_directory"].as_str().ok_or(Failure::Metadata("target_directory"))?;
    Ok(PathBuf::from(target))
}
