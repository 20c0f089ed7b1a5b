//! Asks a person before a call changes a site, through their client or by a one-time token.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use actions_engine::{CallError, CallId, Confirm, Confirmation, Engine, ErrorCode};
use async_trait::async_trait;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::elicit::Asker;

/// How long a token holds.
const TOKEN_HOLDS: Duration = Duration::from_secs(5 * 60);

/// How many tokens may be open. The oldest is forgotten for a new one.
const TOKENS: usize = 256;

/// How many characters of the arguments a person is shown.
const SHOWN: usize = 600;

/// Which calls a person is asked about. Clones are the same.
#[derive(Clone, Debug)]
pub struct Confirmations {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    /// Whether a person is asked at all.
    asks: bool,
    /// The tools that were confirmed when the server started.
    confirmed: BTreeSet<String>,
    calls: Mutex<HashMap<CallId, Arc<Asking>>>,
    tokens: Mutex<HashMap<String, Waiting>>,
}

/// A call that was refused until a person confirms it.
#[derive(Debug)]
struct Waiting {
    subject: [u8; 32],
    until: Instant,
}

/// What a token is bound to: a tool, its arguments and a session.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject<'s> {
    pub(crate) tool: &'s str,
    pub(crate) arguments: &'s Value,
    pub(crate) session: &'s str,
}

/// How the person of a call is asked.
pub(crate) enum Way {
    /// They have confirmed the call.
    Confirmed,
    /// By a request to the client while the call waits.
    Ask(Asker),
    /// By an answer that asks for the call again with a token.
    Later,
}

impl std::fmt::Debug for Way {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Confirmed => "Confirmed",
            Self::Ask(_) => "Ask",
            Self::Later => "Later",
        })
    }
}

/// A running call, and what its person was asked.
#[derive(Debug)]
pub(crate) struct Asking {
    way: Way,
    /// The tools that only read, by what their map says of them.
    reads: Arc<BTreeSet<String>>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    is_confirmed: bool,
    question: Option<String>,
}

impl Asking {
    /// What the person has still to be asked.
    pub(crate) fn open_question(&self) -> Option<String> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.question.clone().filter(|_| matches!(self.way, Way::Later))
    }
}

/// A call that is known to the confirmations until this is dropped.
pub(crate) struct Known {
    confirmations: Confirmations,
    call_id: CallId,
    pub(crate) asking: Arc<Asking>,
}

impl Drop for Known {
    fn drop(&mut self) {
        self.confirmations.calls().remove(&self.call_id);
    }
}

impl Confirmations {
    /// A person is asked about every call that may change a site, except of these tools. A tool that its map declares to
    /// read only is not asked about, although its steps may click.
    pub fn ask(confirmed: impl IntoIterator<Item = String>) -> Self {
        Self::new(true, confirmed.into_iter().collect())
    }

    /// No one is asked: the client or its person has decided before.
    pub fn never() -> Self {
        Self::new(false, BTreeSet::new())
    }

    fn new(asks: bool, confirmed: BTreeSet<String>) -> Self {
        let inner = Inner { asks, confirmed, calls: Mutex::default(), tokens: Mutex::default() };
        Self { inner: Arc::new(inner) }
    }

    /// The engine with these confirmations. Every engine of a server needs them.
    pub fn guard(&self, engine: Engine) -> Engine {
        match self.inner.asks {
            true => engine.on_confirm(self.clone()),
            false => engine,
        }
    }

    fn calls(&self) -> MutexGuard<'_, HashMap<CallId, Arc<Asking>>> {
        self.inner.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tokens(&self) -> MutexGuard<'_, HashMap<String, Waiting>> {
        self.inner.tokens.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says how the person of a call is asked.
    pub(crate) fn register(&self, call_id: &CallId, way: Way, reads: Arc<BTreeSet<String>>) -> Known {
        let is_confirmed = matches!(way, Way::Confirmed);
        let asking =
            Arc::new(Asking { way, reads, state: Mutex::new(State { is_confirmed, question: None }) });
        self.calls().insert(call_id.clone(), Arc::clone(&asking));
        Known { confirmations: self.clone(), call_id: call_id.clone(), asking }
    }

    /// A token with which the call may be made once.
    pub(crate) fn token(&self, subject: Subject<'_>) -> Result<String, CallError> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)
            .map_err(|error| CallError::new(ErrorCode::InternalError, format!("no random bytes: {error}")))?;
        let token = data_encoding::HEXLOWER.encode(&bytes);
        let mut tokens = self.tokens();
        let now = Instant::now();
        tokens.retain(|_, waiting| waiting.until > now);
        while tokens.len() >= TOKENS {
            let oldest =
                tokens.iter().min_by_key(|(_, waiting)| waiting.until).map(|(token, _)| token.clone());
            oldest.and_then(|oldest| tokens.remove(&oldest));
        }
        tokens.insert(token.clone(), Waiting { subject: digest(subject), until: now + TOKEN_HOLDS });
        Ok(token)
    }

    /// Uses a token up. Returns whether it is for this call.
    pub(crate) fn redeem(&self, token: &str, subject: Subject<'_>) -> bool {
        let waiting = self.tokens().remove(token);
        waiting.is_some_and(|waiting| waiting.until > Instant::now() && waiting.subject == digest(subject))
    }

    /// The call that a confirmation belongs to: the call itself, or the one whose step makes it.
    fn asking(&self, call_id: &CallId) -> Option<Arc<Asking>> {
        let calls = self.calls();
        let within = |known: &CallId| {
            let rest = call_id.as_str().strip_prefix(known.as_str());
            rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric()))
        };
        calls.iter().find(|(known, _)| within(known)).map(|(_, asking)| Arc::clone(asking))
    }
}

#[async_trait]
impl Confirm for Confirmations {
    async fn confirm(&self, confirmation: Confirmation) -> bool {
        if self.inner.confirmed.contains(confirmation.tool.as_str()) {
            return true;
        }
        let Some(asking) = self.asking(&confirmation.call_id) else { return false };
        // A reason is that of a policy: what the map says of the tool does not answer it.
        if confirmation.reason.is_none() && asking.reads.contains(confirmation.tool.as_str()) {
            return true;
        }
        let question = question(&confirmation);
        {
            let mut state = asking.state.lock().unwrap_or_else(PoisonError::into_inner);
            if state.is_confirmed {
                return true;
            }
            state.question = Some(question.clone());
        }
        let Way::Ask(asker) = &asking.way else { return false };
        let is_confirmed = asker.confirms(question).await;
        asking.state.lock().unwrap_or_else(PoisonError::into_inner).is_confirmed = is_confirmed;
        is_confirmed
    }
}

/// What a person is asked: what happens, in words of the map, with arguments that have no secrets.
fn question(confirmation: &Confirmation) -> String {
    let arguments = confirmation.input.to_string();
    let shown: String = arguments.chars().filter(|c| !c.is_control()).take(SHOWN).collect();
    let more = if arguments.chars().count() > SHOWN { " …" } else { "" };
    let reason = confirmation.reason.as_ref().map(|reason| format!(" {reason}.")).unwrap_or_default();
    format!("Run `{}`? {}{reason} Arguments: {shown}{more}", confirmation.tool, confirmation.description)
}

/// A digest of what a token is bound to. Objects are the same in any order of their keys.
fn digest(subject: Subject<'_>) -> [u8; 32] {
    let mut hasher = Sha256::new();
    for part in [subject.tool, subject.session, &canonical(subject.arguments)] {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hasher.finalize().into()
}

fn canonical(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let mut sorted: Vec<_> = members.iter().collect();
            sorted.sort_by_key(|(key, _)| *key);
            let members = sorted
                .iter()
                .map(|(key, value)| format!("{}:{}", Value::from(key.as_str()), canonical(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        }
        Value::Array(items) => {
            format!("[{}]", items.iter().map(canonical).collect::<Vec<_>>().join(","))
        }
        plain => plain.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_token_is_for_one_call_and_used_once() {
        let confirmations = Confirmations::ask([]);
        let (one, same) =
            (json!({ "a": 1, "b": [{ "c": 2, "d": 3 }] }), json!({ "b": [{ "d": 3, "c": 2 }], "a": 1 }));
        let subject = |arguments| Subject { tool: "cart.add", arguments, session: "main" };
        let token = confirmations.token(subject(&one)).unwrap();
        assert!(confirmations.redeem(&token, subject(&same)), "the order of keys does not matter");
        assert!(!confirmations.redeem(&token, subject(&one)), "it was used");

        let other = json!({ "a": 2 });
        for wrong in [
            subject(&other),
            Subject { tool: "cart.clear", ..subject(&one) },
            Subject { session: "s2", ..subject(&one) },
        ] {
            let token = confirmations.token(subject(&one)).unwrap();
            assert!(!confirmations.redeem(&token, wrong), "{wrong:?}");
            assert!(!confirmations.redeem(&token, subject(&one)), "a wrong use uses it up");
        }
        assert!(!confirmations.redeem("", subject(&one)));
        for _ in 0..TOKENS * 2 {
            confirmations.token(subject(&one)).unwrap();
        }
        assert!(confirmations.tokens().len() <= TOKENS);
    }

    #[test]
    fn a_call_within_a_call_belongs_to_it_and_a_similar_id_does_not() {
        let confirmations = Confirmations::ask([]);
        let id = |text: &str| CallId::parse(text).unwrap();
        let known = confirmations.register(&id("mcp-1"), Way::Later, Arc::default());
        assert!(confirmations.asking(&id("mcp-1")).is_some());
        assert!(confirmations.asking(&id("mcp-1.2")).is_some());
        assert!(confirmations.asking(&id("mcp-12")).is_none());
        drop(known);
        assert!(confirmations.asking(&id("mcp-1")).is_none());
    }
}
