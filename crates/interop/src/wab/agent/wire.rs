//! A command on its way, and what comes back.

use std::time::Duration;

use actions_engine::Failure;
use serde_json::{Value, json};

use super::session::Token;

/// The method that may change something.
pub(super) const EXECUTE: &str = "wab.executeAction";

/// A command on its way.
pub(super) struct Command<'c> {
    pub(super) id: String,
    pub(super) method: &'c str,
    pub(super) params: &'c Value,
    /// The token of its session.
    pub(super) token: Option<Token>,
    /// The key that it carries, if it begins a session.
    pub(super) key: Option<String>,
}

impl<'c> Command<'c> {
    pub(super) fn new(id: String, method: &'c str, params: &'c Value, token: Option<Token>) -> Self {
        Self { id, method, params, token, key: None }
    }

    /// The command that begins a session with a key.
    pub(super) fn authenticating(id: String, params: &'c Value, key: &str) -> Self {
        Self { id, method: "wab.authenticate", params, token: None, key: Some(key.to_owned()) }
    }

    /// The command as a message.
    pub(super) fn message(&self) -> Value {
        let mut message = json!({ "id": self.id, "method": self.method, "params": self.params });
        if let Some(token) = &self.token {
            message["context"] = json!({ "sessionToken": token.text() });
        }
        message
    }

    /// Whether it may change something.
    pub(super) fn acts(&self) -> bool {
        self.method == EXECUTE
    }
}

/// What a bridge answered, before it is read.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) envelope: Value,
    /// The HTTP status, if it came by HTTP.
    pub(super) status: Option<u16>,
}

/// What a bridge says about its limits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pace {
    pub(super) retry_after: Option<Duration>,
    pub(super) remaining: Option<u64>,
    /// When the window begins anew, in seconds since 1970.
    pub(super) reset: Option<u64>,
}

/// How a command ended.
pub(super) enum Outcome {
    Result(Value),
    /// The page went to another document.
    Navigated,
}

/// Why a command did not end well.
pub(super) enum Attempt {
    /// It cannot have run, so another transport may be tried.
    NotSent(Failure),
    /// It was refused, or may have run.
    Ended(Failure),
}
