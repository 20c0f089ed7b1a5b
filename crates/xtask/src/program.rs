//! A program of the workspace.

use std::path::PathBuf;

use crate::{command_line::CommandLine, failure::Failure, workspace::target};

/// A program of the workspace that has been built.
pub(crate) struct Program(PathBuf);

impl Program {
    /// Builds a program with the features of the tests: what they have built already is not built again.
    ///
    /// For one package alone cargo would choose the features anew, and build every dependency a second time.
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
