//! Why a task did not succeed.

use std::{io, path::PathBuf, process::ExitCode, process::ExitStatus};

use thiserror::Error;

/// Why a task did not succeed, with what to do about it.
#[derive(Debug, Error)]
pub(crate) enum Failure {
    #[error("{message}\n{usage}")]
    Usage { message: String, usage: &'static str },
    #[error("{}: {source}", path.display())]
    File { path: PathBuf, source: io::Error },
    #[error("`actions record` of `{tool}` for {} ended with {status}", har.display())]
    NotRecorded { tool: String, har: PathBuf, status: ExitStatus },
    #[error("{}: {source}", path.display())]
    Marker { path: PathBuf, source: Box<dyn std::error::Error> },
    #[error("stale: {}\nRun `cargo xtask regen` and commit the result.", files.join(", "))]
    Stale { files: Vec<String> },
    #[error("the campaign could not go on: {0}")]
    Fuzz(io::Error),
    #[error("a property of the validator does not hold; see above")]
    Breach,
    #[error("jsonata.js could not be installed into {}; is npm there, and can it reach its registry?", .0.display())]
    Install(PathBuf),
    #[error("an expression gives something else than with jsonata.js; see above")]
    Difference,
}

impl Failure {
    /// The refusal of an argument that a task does not have.
    pub(crate) fn unknown_argument(argument: &str, usage: &'static str) -> Self {
        Self::Usage { message: format!("`{argument}` is not an argument of this task"), usage }
    }

    /// Usage errors end with 2, a campaign that broke down with 70, everything else with 1.
    pub(crate) fn exit(&self) -> ExitCode {
        match self {
            Self::Usage { .. } => ExitCode::from(2),
            Self::Fuzz(_) => ExitCode::from(70),
            _ => ExitCode::FAILURE,
        }
    }
}
