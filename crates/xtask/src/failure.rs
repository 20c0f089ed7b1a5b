//! Why a task did not succeed.

use std::{error::Error, fmt, io, path::PathBuf, process::ExitCode, process::ExitStatus, time::Duration};

/// Why a task did not succeed, with what to do about it.
#[derive(Debug)]
pub(crate) enum Failure {
    Usage(String, String),
    NotStarted { command: String, source: io::Error },
    CommandFailed { command: String, status: ExitStatus, expected: i32 },
    Hung { command: String, limit: Duration },
    File { path: PathBuf, source: io::Error },
    Missing { what: &'static str, remedy: String },
    StillMissing { what: &'static str },
    Racer { name: &'static str, answer: String },
    NotMeasured(&'static str),
    NoSuchTest(&'static str),
    GoalsMissed { goals: Vec<&'static str> },
    BrokenLinks(usize),
    Metadata(&'static str),
    Reported { command: String, exit: u8 },
    Part { part: &'static str, after: Duration, source: Box<Failure> },
}

impl Failure {
    /// Usage errors end with 2, a command that has reported its own failure with its exit code, everything else with 1.
    pub(crate) fn exit(&self) -> ExitCode {
        match self {
            Self::Usage(..) => ExitCode::from(2),
            Self::Reported { exit, .. } => ExitCode::from(*exit),
            _ => ExitCode::FAILURE,
        }
    }
}

// By hand: the derive would take longer to build than all the rest of this crate and what it depends on.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(argument, known) => write!(f, "`{argument}` is no argument of this task; {known}"),
            Self::NotStarted { command, source } => write!(f, "`{command}` could not be started: {source}"),
            Self::CommandFailed { command, status, expected } => {
                write!(f, "`{command}` ended with {status}, not with {expected}")
            }
            Self::Hung { command, limit } => {
                let minutes = limit.as_secs() / 60;
                write!(f, "`{command}` was ended because it took more than {minutes} minutes")
            }
            Self::File { path, source } => write!(f, "{}: {source}", path.display()),
            Self::Missing { what, remedy } => write!(f, "{what} is missing; install it with\n    {remedy}"),
            Self::StillMissing { what } => {
                write!(f, "{what} was installed without an error, but is not there")
            }
            Self::Racer { name, answer } => {
                write!(f, "`{name}` does not do its part of the benchmark; it answered {answer:?}")
            }
            Self::NotMeasured(what) => write!(f, "no test has measured `{what}`"),
            Self::NoSuchTest(test) => write!(f, "there is no test `{test}`"),
            Self::GoalsMissed { goals } => write!(f, "goals that were missed: {}", goals.join("; ")),
            Self::BrokenLinks(count) => write!(f, "{count} references in documents lead nowhere"),
            Self::Metadata(key) => {
                write!(f, "cargo describes the workspace in a way this task does not understand: no `{key}`")
            }
            Self::Reported { command, .. } => write!(f, "`{command}` has reported why"),
            Self::Part { part, after, source } => {
                let seconds = after.as_secs();
                writeln!(f, "{part} failed after {seconds} s: {source}")?;
                write!(f, "To run this part alone: cargo xtask test {part}")
            }
        }
    }
}

impl Error for Failure {}
