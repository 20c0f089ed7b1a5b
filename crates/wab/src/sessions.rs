//! The sessions of agents, and what is counted for those that have none.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use actions_protocol::WabCode;
use sha2::{Digest, Sha256};

use crate::message::Fault;
use crate::permission::Permissions;
use crate::rate::{Left, Window};
use crate::replay::Seen;

/// The most sessions at once.
const MOST_SESSIONS: usize = 4_096;
/// The most callers without a session that are counted.
const MOST_CALLERS: usize = 4_096;
/// How long a session that has ended is remembered, to say so.
const REMEMBERED: Duration = Duration::from_secs(3_600);

/// Names a session: the digest of its token.
pub(crate) type SessionId = [u8; 32];

/// A session.
#[derive(Clone, Debug)]
struct Session {
    agent: String,
    /// Who may use it: where it began.
    holder: String,
    permissions: Permissions,
    ends: Instant,
    counted: Counted,
}

/// What is counted for a session, or for a caller without one.
#[derive(Clone, Debug, Default)]
struct Counted {
    window: Window,
    seen: Seen,
}

/// A session as commands see it.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub(crate) id: SessionId,
    pub(crate) agent: String,
    pub(crate) permissions: Permissions,
    pub(crate) ends: Instant,
}

/// Who a command is counted for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Scope {
    Session(SessionId),
    /// A caller without a session: its origin, else its address.
    Caller(String),
}

/// The sessions of a bridge.
#[derive(Debug, Default)]
pub(crate) struct Sessions {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    sessions: HashMap<SessionId, Session>,
    callers: HashMap<String, Counted>,
    /// The ids that callers without a session have sent, by the connection or the document they came from.
    lines: HashMap<String, Seen>,
}

/// A new session.
pub(crate) struct Begun {
    pub(crate) token: String,
    pub(crate) known: Known,
}

impl Sessions {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a session. Those that the agent has already go on to their end.
    pub(crate) fn begin(
        &self,
        agent: &str,
        holder: &str,
        permissions: Permissions,
        ttl: Duration,
        now: Instant,
    ) -> Result<Begun, Fault> {
        let mut bytes = [0_u8; 32];
        getrandom::fill(&mut bytes)
            .map_err(|_| Fault::new(WabCode::BridgeError, "the system gives no random bytes for a token"))?;
        let token = format!("sess_{}", data_encoding::HEXLOWER.encode(&bytes));
        let id = digest(&token);
        let mut inner = self.inner();
        inner.sessions.retain(|_, session| now.saturating_duration_since(session.ends) < REMEMBERED);
        if inner.sessions.len() >= MOST_SESSIONS {
            inner.sessions.retain(|_, session| now < session.ends);
        }
        if inner.sessions.len() >= MOST_SESSIONS {
            return Err(Fault::new(WabCode::BridgeError, "the bridge has too many sessions"));
        }
        let ends = now + ttl;
        let session = Session {
            agent: agent.to_owned(),
            holder: holder.to_owned(),
            permissions,
            ends,
            counted: Counted::default(),
        };
        inner.sessions.insert(id, session);
        Ok(Begun { token, known: Known { id, agent: agent.to_owned(), permissions, ends } })
    }

    /// The session of a token, for the one it was given to.
    pub(crate) fn find(&self, token: &str, holder: &str, now: Instant) -> Result<Known, Fault> {
        let id = digest(token);
        let inner = self.inner();
        let session = inner.sessions.get(&id);
        let invalid = || Fault::new(WabCode::InvalidToken, "the token is not of a session of this bridge");
        let session = session.filter(|session| session.holder == holder).ok_or_else(invalid)?;
        if now >= session.ends {
            return Err(Fault::new(WabCode::SessionExpired, "the session has ended; begin another one"));
        }
        Ok(Known { id, agent: session.agent.clone(), permissions: session.permissions, ends: session.ends })
    }

    /// Counts a command, or says how long to wait.
    pub(crate) fn count(&self, scope: &Scope, limit: u64, now: Instant) -> Result<Left, Duration> {
        let mut inner = self.inner();
        match scope {
            Scope::Session(id) => match inner.sessions.get_mut(id) {
                Some(session) => session.counted.window.take(limit, now),
                None => Err(Duration::from_secs(1)),
            },
            Scope::Caller(name) => {
                if inner.callers.len() >= MOST_CALLERS && !inner.callers.contains_key(name) {
                    inner.callers.retain(|_, counted| !counted.window.is_over(now));
                }
                if inner.callers.len() >= MOST_CALLERS && !inner.callers.contains_key(name) {
                    return Err(Duration::from_secs(60));
                }
                inner.callers.entry(name.clone()).or_default().window.take(limit, now)
            }
        }
    }

    /// Notes the id of a command. Whether it is new: in its session, or on its line.
    pub(crate) fn note(&self, scope: &Scope, line: Option<&str>, id: &str) -> bool {
        let mut inner = self.inner();
        match (scope, line) {
            (Scope::Session(session), _) => {
                inner.sessions.get_mut(session).is_none_or(|session| session.counted.seen.note(id))
            }
            (Scope::Caller(_), Some(line)) => {
                if inner.lines.len() >= MOST_CALLERS && !inner.lines.contains_key(line) {
                    inner.lines.clear();
                }
                inner.lines.entry(line.to_owned()).or_default().note(id)
            }
            // A caller without a session and a connection has nothing in which an id could be unique.
            (Scope::Caller(_), None) => true,
        }
    }

    /// Forgets a line that has ended.
    pub(crate) fn forget(&self, line: &str) {
        self.inner().lines.remove(line);
    }
}

fn digest(token: &str) -> SessionId {
    Sha256::digest(token).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begin(sessions: &Sessions, now: Instant) -> Begun {
        sessions.begin("agent", "127.0.0.1", Permissions::ALL, Duration::from_secs(100), now).unwrap()
    }

    #[test]
    fn g8_tokens_have_256_random_bits_and_an_old_one_stays_valid() {
        let (sessions, now) = (Sessions::default(), Instant::now());
        let (first, second) = (begin(&sessions, now), begin(&sessions, now));
        assert_ne!(first.token, second.token);
        assert_eq!(first.token.len(), "sess_".len() + 64);
        assert!(sessions.find(&first.token, "127.0.0.1", now).is_ok());
        assert!(sessions.find(&second.token, "127.0.0.1", now).is_ok());
    }

    #[test]
    fn g7_a_session_ends_and_says_so() {
        let (sessions, now) = (Sessions::default(), Instant::now());
        let begun = begin(&sessions, now);
        let later = now + Duration::from_secs(100);
        let code = |result: Result<Known, Fault>| result.map(|_| ()).unwrap_err().code;
        assert_eq!(code(sessions.find(&begun.token, "127.0.0.1", later)), WabCode::SessionExpired);
        assert_eq!(code(sessions.find("sess_0", "127.0.0.1", now)), WabCode::InvalidToken);
    }

    #[test]
    fn g8_a_token_is_of_no_use_to_another_agent() {
        let (sessions, now) = (Sessions::default(), Instant::now());
        let begun = begin(&sessions, now);
        let stolen = sessions.find(&begun.token, "10.0.0.1", now);
        assert_eq!(stolen.map(|_| ()).unwrap_err().code, WabCode::InvalidToken);
    }

    #[test]
    fn g9_an_id_is_unique_in_its_session_only() {
        let (sessions, now) = (Sessions::default(), Instant::now());
        let (first, second) = (begin(&sessions, now), begin(&sessions, now));
        let note = |begun: &Begun| sessions.note(&Scope::Session(begun.known.id), None, "1");
        assert!(note(&first) && !note(&first) && note(&second));
    }

    #[test]
    fn g10_sessions_and_callers_are_counted_apart() {
        let (sessions, now) = (Sessions::default(), Instant::now());
        let begun = begin(&sessions, now);
        let caller = |name: &str| Scope::Caller(name.to_owned());
        assert!(sessions.count(&caller("a"), 1, now).is_ok());
        assert!(sessions.count(&caller("a"), 1, now).is_err());
        assert!(sessions.count(&caller("b"), 1, now).is_ok());
        assert!(sessions.count(&Scope::Session(begun.known.id), 1, now).is_ok());
    }
}
