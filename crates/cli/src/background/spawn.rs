//! Starts the process of a background session and waits until it serves commands.

use std::ffi::OsString;
use std::io::{self, BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use actions_engine::{CallError, CancellationToken};
use actions_protocol::ErrorCode;
use actions_runtime::SessionInfo;
use rustix::process::{Pid, Signal, getppid, kill_process};

use super::hold::Started;

/// A session that has started.
pub(crate) struct Spawned {
    pub(crate) info: SessionInfo,
    /// The address of its page for people.
    pub(crate) page: Option<String>,
}

/// Starts `session hold` with the arguments of this command, and returns when the session serves commands or has failed.
pub(crate) async fn spawn(cancel: &CancellationToken) -> Result<Spawned, CallError> {
    let mut child = launch().map_err(|error| failed(&format!("its process cannot be started: {error}")))?;
    let pid = child.id();
    let stdout = child.stdout.take().expect("the standard output is a pipe");
    let mut reading = tokio::task::spawn_blocking(move || {
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line).map(|_| line)
    });
    let read = tokio::select! {
        biased;
        () = cancel.cancelled() => {
            end(pid);
            let _ = (&mut reading).await;
            reap(child).await;
            return Err(CallError::new(ErrorCode::Cancelled, "the session was ended while it started"));
        }
        read = &mut reading => read,
    };
    let line = read.map_err(io::Error::from).and_then(|line| line);
    let line = line.map_err(|error| failed(&error.to_string()))?;
    match serde_json::from_str(&line) {
        Ok(Started::Ready { info, page }) => Ok(Spawned { info, page }),
        Ok(Started::Failed(error)) => {
            reap(child).await;
            Err(*error)
        }
        Err(_) => {
            end(pid);
            reap(child).await;
            Err(failed("its process ended before it was ready; standard error may say why"))
        }
    }
}

/// The command line of this process, with `hold` in the place of `start`.
fn launch() -> io::Result<Child> {
    let mut arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    // `actions session start …`: no option stands before the subcommands.
    if let Some(start) = arguments.get_mut(1) {
        *start = "hold".into();
    }
    let parent = getppid().map_or(1, |pid| pid.as_raw_nonzero().get());
    // Not at the end, where `--` may have ended the options.
    arguments.insert(2, format!("--parent={parent}").into());
    let mut command = Command::new(std::env::current_exe()?);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).spawn()
}

fn end(pid: u32) {
    if let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
        // It may have ended by itself.
        let _ = kill_process(pid, Signal::TERM);
    }
}

async fn reap(mut child: Child) {
    let _ = tokio::task::spawn_blocking(move || child.wait()).await;
}

fn failed(why: &str) -> CallError {
    CallError::new(ErrorCode::TransportFailed, format!("the session did not start: {why}"))
}
