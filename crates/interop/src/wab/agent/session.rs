//! Sessions with bridges: one for each way to each bridge.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use actions_engine::browser::Clock;
use actions_engine::{Timestamp, WabTransport};
use serde_json::Value;

use crate::wab::permission::Permissions;

/// The longest token that is kept.
const LONGEST: usize = 4_096;
/// The longest time that a session is taken to last.
const LONGEST_TTL: u64 = 366 * 24 * 60 * 60;
/// The most sessions that are kept.
const MOST: usize = 1_000;

/// The token of a session.
#[derive(Clone)]
pub(super) struct Token {
    text: String,
    /// The key that it was given for, which bridges may repeat.
    key: String,
    /// When a tenth of its time is left.
    due: Instant,
    ends: Instant,
    permissions: Permissions,
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Token").field("ends", &self.ends).finish_non_exhaustive()
    }
}

impl Token {
    /// Reads what a bridge answers to a key, in the words of the protocol or of published bridges.
    pub(super) fn of(result: &Value, key: &str, otherwise: u64, clock: &dyn Clock) -> Option<Self> {
        let text = ["sessionToken", "token"].iter().find_map(|key| result.get(*key)?.as_str())?;
        let can_be_sent =
            !text.is_empty() && text.len() <= LONGEST && text.chars().all(|c| ('!'..='~').contains(&c));
        if !can_be_sent {
            return None;
        }
        let said_until = result["expiresAt"].as_str().and_then(|at| Timestamp::parse(at).ok());
        let left = said_until.map(|at| at.unix_millis().saturating_sub(clock.unix_millis()) / 1_000);
        let left = left.or_else(|| result["expiresIn"].as_u64());
        let ttl = Duration::from_secs(left.unwrap_or(otherwise).min(LONGEST_TTL));
        let now = clock.now();
        Some(Self {
            text: text.to_owned(),
            key: key.to_owned(),
            due: now + ttl.mul_f64(0.9),
            ends: now + ttl,
            permissions: Permissions::of(&result["permissions"]),
        })
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn key(&self) -> &str {
        &self.key
    }

    /// Whether it is time to begin a new session.
    pub(super) fn is_due(&self, now: Instant) -> bool {
        now >= self.due
    }

    pub(super) fn has_ended(&self, now: Instant) -> bool {
        now >= self.ends
    }

    /// Whether the session says that it does not grant a permission. A session that says nothing grants what the document
    /// grants.
    pub(super) fn denies(&self, permission: &str) -> bool {
        !self.permissions.is_empty() && !self.permissions.grants(permission)
    }
}

/// The token of one session; held while it begins.
pub(super) type Slot = Arc<tokio::sync::Mutex<Option<Token>>>;

/// Which session: the site, the transport and the place of the bridge.
type Key = (String, WabTransport, String);

/// The sessions of an agent.
#[derive(Debug, Default)]
pub(super) struct Sessions {
    slots: Mutex<HashMap<Key, Slot>>,
}

impl Sessions {
    pub(super) fn slot(&self, origin: &str, transport: WabTransport, place: &str) -> Slot {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (origin.to_owned(), transport, place.to_owned());
        if slots.len() >= MOST && !slots.contains_key(&key) {
            slots.clear();
        }
        Arc::clone(slots.entry(key).or_default())
    }
}

#[cfg(test)]
mod tests {
    use actions_engine::browser::TestClock;
    use serde_json::json;

    use super::*;

    #[test]
    fn b6_a_session_is_due_when_a_tenth_of_its_time_is_left() {
        let clock = TestClock::new();
        let token =
            Token::of(&json!({ "sessionToken": "s", "expiresIn": 100 }), "key", 3_600, &clock).unwrap();
        clock.advance(Duration::from_secs(89));
        assert!(!token.is_due(clock.now()));
        clock.advance(Duration::from_secs(1));
        assert!(token.is_due(clock.now()) && !token.has_ended(clock.now()));
        clock.advance(Duration::from_secs(10));
        assert!(token.has_ended(clock.now()));
    }

    #[test]
    fn only_a_token_that_can_be_sent_is_taken() {
        let clock = TestClock::new();
        let read = |value: Value| Token::of(&value, "key", 60, &clock).map(|token| token.text().to_owned());
        assert_eq!(read(json!({ "token": "a" })).as_deref(), Some("a"));
        for bad in [json!({ "token": "a\r\nb" }), json!({ "token": 7 }), json!({}), json!({ "token": "" })] {
            assert_eq!(read(bad), None);
        }
    }
}
