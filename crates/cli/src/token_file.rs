//! The file with the token that clients show.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

use actions_doors::{Token, TokenError};
use actions_engine::CallError;
use actions_protocol::ErrorCode;
use rustix::fs::OFlags;

/// Longer than any token with the line break after it.
const LONGEST: u64 = 1_024;

/// The token in a file, which is created if it does not exist; a new token without a file.
pub(crate) fn token(file: Option<&Path>) -> Result<Token, CallError> {
    let Some(file) = file else { return made() };
    let place = file.display();
    let failed = |error: std::io::Error| {
        CallError::new(ErrorCode::WrongUsage, format!("the token file {place}: {error}"))
            .with_evidence("hint", "pass a file that only you can read, or one that does not exist yet")
    };
    let no_links = i32::try_from(OFlags::NOFOLLOW.bits()).unwrap_or_default();
    let created =
        OpenOptions::new().write(true).create_new(true).mode(0o600).custom_flags(no_links).open(file);
    match created {
        Ok(mut created) => {
            let token = made()?;
            created.write_all(format!("{}\n", token.as_str()).as_bytes()).map_err(failed)?;
            created.sync_all().map_err(failed)?;
            return Ok(token);
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        Err(error) => return Err(failed(error)),
    }
    let flags = no_links | i32::try_from(OFlags::NONBLOCK.bits()).unwrap_or_default();
    let opened = OpenOptions::new().read(true).custom_flags(flags).open(file).map_err(failed)?;
    let metadata = opened.metadata().map_err(failed)?;
    let refused = |why: &str, hint: String| {
        Err(CallError::new(ErrorCode::WrongUsage, format!("the token file {place} {why}"))
            .with_evidence("hint", hint))
    };
    if !metadata.is_file() {
        return refused("is not a file", "pass a file".to_owned());
    }
    if metadata.uid() != rustix::process::geteuid().as_raw() || metadata.mode() & 0o077 != 0 {
        let hint = format!("make it yours alone: chmod 600 {place}");
        return refused("can be read or written by others", hint);
    }
    let mut text = String::new();
    opened.take(LONGEST).read_to_string(&mut text).map_err(failed)?;
    Token::parse(text.trim()).or_else(|error| {
        refused(&format!("has no token: {error}"), "remove it, and it is created with a new token".to_owned())
    })
}

fn made() -> Result<Token, CallError> {
    Token::random().map_err(|error: TokenError| CallError::new(ErrorCode::InternalError, error.to_string()))
}
