//! The stored credentials of the user, and the sender of requests that adds them.

use std::io::{IsTerminal, Read, Write};
use std::sync::Arc;

use actions_engine::CallError;
use actions_interop::credentials::{Credentials, FileError};
use actions_interop::fetch::Client;
use actions_interop::http::DirectCaller;
use actions_interop::identity::Identity;
use actions_interop::wab::Agent;
use actions_protocol::ErrorCode;
use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};

/// More than any token.
const LONGEST: u64 = 64 << 10;

/// The sender of requests without a page, with the stored credentials. It says that it is this agent.
pub(crate) fn caller(identity: Identity) -> Result<DirectCaller, CallError> {
    let client = Client::new(identity).map_err(CallError::from)?;
    Ok(DirectCaller::new(client, Arc::new(Credentials::usual())))
}

/// The agent that sends commands to bridges, with the stored keys.
pub(crate) fn agent_of_bridges(identity: Identity) -> Result<Agent, CallError> {
    let client = Client::new(identity).map_err(CallError::from)?;
    Ok(Agent::new(client, Arc::new(Credentials::usual())))
}

/// The error of a store that cannot be used.
pub(crate) fn unusable(error: &FileError) -> CallError {
    CallError::new(ErrorCode::CapabilityUnavailable, error.to_string())
        .with_evidence("hint", "correct the file, or name another one with `ACTIONS_CREDENTIALS`")
}

/// Reads a secret: from a variable of the environment, from the terminal without showing it, or from standard input.
pub(crate) fn secret(variable: Option<&str>) -> Result<String, CallError> {
    let text = match variable {
        Some(variable) => std::env::var(variable).map_err(|_| {
            CallError::new(
                ErrorCode::WrongUsage,
                format!("the variable `{variable}` is not set, or is not text"),
            )
        })?,
        None if std::io::stdin().is_terminal() => typed().map_err(unread)?,
        None => {
            let mut text = String::new();
            std::io::stdin().lock().take(LONGEST).read_to_string(&mut text).map_err(unread)?;
            text
        }
    };
    let text = text.trim_end_matches(['\r', '\n']);
    if text.is_empty() || text.contains(|c: char| c.is_control()) || !text.is_ascii() {
        return Err(CallError::new(
            ErrorCode::WrongUsage,
            "the secret is empty, or is not plain ASCII on one line",
        )
        .with_evidence("hint", "pass the token alone, without quotes and line breaks"));
    }
    Ok(text.to_owned())
}

fn unread(error: std::io::Error) -> CallError {
    CallError::new(ErrorCode::WrongUsage, format!("the secret cannot be read: {error}"))
}

/// Reads a line from the terminal without showing it.
fn typed() -> std::io::Result<String> {
    let stdin = std::io::stdin();
    let before = tcgetattr(&stdin)?;
    let mut silent = before.clone();
    silent.local_modes.remove(LocalModes::ECHO);
    let mut stderr = std::io::stderr();
    write!(stderr, "Secret: ")?;
    stderr.flush()?;
    tcsetattr(&stdin, OptionalActions::Flush, &silent)?;
    let mut text = String::new();
    let read = stdin.read_line(&mut text);
    tcsetattr(&stdin, OptionalActions::Flush, &before)?;
    writeln!(stderr)?;
    read.map(|_| text)
}
