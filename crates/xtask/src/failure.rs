//! Why a task did not succeed.

use std::{io, path::PathBuf, process::ExitCode, process::ExitStatus, time::Duration};

use thiserror::Error;

/// Why a task did not succeed, with what to do about it.
#[derive(Debug, Error)]
pub(crate) enum Failure {
    #[error("`{0}` is no argument of this task; {1}")]
    Usage(String, String),
    #[error("`{command}` could not be started: {source}")]
    NotStarted { command: String, source: io::Error },
    #[error("`{command}` ended with {status}, not with {expected}")]
    CommandFailed { command: String, status: ExitStatus, expected: i32 },
    #[error("`{command}` was ended because it took more than {} minutes", limit.as_secs() / 60)]
    Hung { command: String, limit: Duration },
    #[error("{}: {source}", path.display())]
    File { path: PathBuf, source: io::Error },
    #[error("{what} is missing; install it with\n    {remedy}")]
    Missing { what: &'static str, remedy: String },
    #[error("{what} was installed without an error, but is not there")]
    StillMissing { what: &'static str },
    #[error("`{name}` does not do its part of the benchmark; it answered {answer:?}")]
    Racer { name: &'static str, answer: String },
    #[error("no test has measured `{0}`")]
    NotMeasured(&'static str),
    #[error("goals that were missed: {}", goals.join("; "))]
    GoalsMissed { goals: Vec<&'static str> },
    #[error("cargo describes the workspace in a way this task does not understand: no `{0}`")]
    Metadata(&'static str),
    #[error("`{command}` has told why")]
    Told { command: String, exit: u8 },
    #[error("{part} failed after {} s: {source}\nTo run this part alone: cargo xtask test {part}", after.as_secs())]
    Part { part: &'static str, after: Duration, source: Box<Failure> },
}

impl Failure {
    /// Usage errors end with 2, what a command has told as the command did, everything else with 1.
    pub(crate) fn exit(&self) -> ExitCode {
        match self {
            Self::Usage(..) => ExitCode::from(2),
            Self::Told { exit, .. } => ExitCode::from(*exit),
            _ => ExitCode::FAILURE,
        }
    }
}
