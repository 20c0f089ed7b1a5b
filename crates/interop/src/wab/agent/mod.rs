//! Sends commands to bridges: begins and renews sessions, chooses the transport, and observes limits.

mod http;
mod page;
mod reply;
mod session;
mod socket;
mod wire;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use actions_engine::browser::{Clock, Deadline, Replay, SystemClock, origin_of};
use actions_engine::{ErrorCode, Failure, WabAuth, WabCall, WabCaller, WabPage, WabReply, WabTransport};
use async_trait::async_trait;
use serde_json::{Value, json};

use crate::credentials::Credentials;
use crate::fetch::Client;
use session::{Sessions, Token};
use wire::{Attempt, Command, Outcome, Pace};

/// The longest time that a bridge may keep us from sending again.
const LONGEST_BLOCK: Duration = Duration::from_secs(3_600);
/// The most sites that are remembered with how long they want no command.
const MOST_SITES: usize = 1_000;

/// Sends the commands of `wab.command`. It keeps the sessions of bridges until they end.
#[derive(Debug)]
pub struct Agent {
    line: Line,
    clock: Arc<dyn Clock>,
    sessions: Sessions,
    sockets: socket::Sockets,
    /// When HTTP bridges last answered.
    reached: http::Reached,
    /// Until when sites want no further command.
    blocked: Mutex<HashMap<String, Instant>>,
    /// What the ids of this agent begin with, so that no two agents have the same.
    prefix: String,
    numbers: AtomicU64,
}

/// How HTTP requests get to bridges.
#[derive(Debug)]
enum Line {
    /// They are sent, with the stored keys.
    Direct { client: Client, credentials: Arc<Credentials> },
    /// A recording answers them.
    Recorded(Arc<Replay>),
}

impl Agent {
    /// Sends commands by a client, with the keys of a store.
    pub fn new(client: Client, credentials: Arc<Credentials>) -> Self {
        Self::on(Line::Direct { client, credentials })
    }

    /// Answers commands by a recording: nothing leaves the machine, and there are no sessions.
    pub fn recorded(replay: Arc<Replay>) -> Self {
        Self::on(Line::Recorded(replay))
    }

    /// The same on another clock, which decides when sessions end.
    #[must_use]
    pub fn with_clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    fn on(line: Line) -> Self {
        let mut bytes = [0_u8; 6];
        // Without random bytes ids are still unique within each session of this agent.
        let _ = getrandom::fill(&mut bytes);
        let prefix = match line {
            Line::Direct { .. } => data_encoding::HEXLOWER.encode(&bytes),
            Line::Recorded(_) => "recorded".to_owned(),
        };
        Self {
            line,
            clock: Arc::new(SystemClock),
            sessions: Sessions::default(),
            sockets: socket::Sockets::default(),
            reached: http::Reached::default(),
            blocked: Mutex::default(),
            prefix,
            numbers: AtomicU64::new(1),
        }
    }

    /// An id that no other command has.
    fn id(&self) -> String {
        let number = self.numbers.fetch_add(1, Ordering::Relaxed);
        format!("cmd_{}_{number}", self.prefix)
    }

    /// How a bridge is told who asks.
    fn meta(&self) -> Value {
        let name = match &self.line {
            Line::Direct { client, .. } => client.identity().name.clone(),
            Line::Recorded(_) => crate::identity::PRODUCT.to_owned(),
        };
        json!({ "agentName": name, "version": env!("CARGO_PKG_VERSION") })
    }

    fn blocked_for(&self, origin: &str) -> Duration {
        let blocked = self.blocked.lock().unwrap_or_else(PoisonError::into_inner);
        let until = blocked.get(origin).copied();
        until.map_or(Duration::ZERO, |until| until.saturating_duration_since(self.clock.now()))
    }

    /// Notes what a bridge says about its limits.
    fn note(&self, origin: &str, pace: &Pace) {
        let now = self.clock.unix_millis();
        let exhausted = pace.reset.filter(|_| pace.remaining == Some(0));
        let until_reset =
            exhausted.map(|reset| Duration::from_millis(reset.saturating_mul(1_000).saturating_sub(now)));
        let Some(wait) = pace.retry_after.max(until_reset).filter(|wait| !wait.is_zero()) else { return };
        let mut blocked = self.blocked.lock().unwrap_or_else(PoisonError::into_inner);
        let now = self.clock.now();
        blocked.retain(|_, until| *until > now);
        if blocked.len() < MOST_SITES {
            blocked.insert(origin.to_owned(), now + wait.min(LONGEST_BLOCK));
        }
    }

    /// Sends a command on one transport, with the token of a session.
    async fn send(
        &self,
        transport: WabTransport,
        call: &WabCall,
        command: &Command<'_>,
        page: &dyn WabPage,
        deadline: Deadline,
    ) -> Result<Outcome, Attempt> {
        let origin = origin_of(&call.url).unwrap_or_default();
        let blocked = self.blocked_for(&origin);
        if !blocked.is_zero() {
            let wait = u64::try_from(blocked.as_millis()).unwrap_or(u64::MAX);
            let message = format!("the bridge wants no further command for {wait} ms; none was sent");
            let failure = Failure::new(ErrorCode::RateLimited, message).with_evidence("retry_after_ms", wait);
            return Err(Attempt::Ended(failure));
        }
        let place = call.places.on(transport).unwrap_or_default();
        let (answer, pace) = match transport {
            WabTransport::Http => self.by_http(place, call, command, deadline).await?,
            WabTransport::Websocket => self.by_socket(place, call, command, deadline).await?,
            WabTransport::JsGlobal => self.by_page(place, call, command, page, deadline).await?,
        };
        self.note(&origin, &pace);
        let Some(mut answer) = answer else { return Ok(Outcome::Navigated) };
        if let Some(token) = &command.token {
            reply::hide(&mut answer.envelope, token.text());
            reply::hide(&mut answer.envelope, token.key());
        }
        if let Some(key) = &command.key {
            reply::hide(&mut answer.envelope, key);
        }
        let result = reply::read(&answer, call.lenient).map_err(|failure| {
            if let Some(wait) = failure.evidence.get("retry_after_ms").and_then(Value::as_u64) {
                self.note(
                    &origin,
                    &Pace { retry_after: Some(Duration::from_millis(wait)), ..Pace::default() },
                );
            }
            // Only if the bridge itself says that the command did not get through, it has not run.
            let says_so = !command.acts() || failure.evidence.contains_key("site_code");
            match failure.code {
                ErrorCode::TransportFailed if says_so => Attempt::NotSent(failure),
                _ => Attempt::Ended(failure),
            }
        })?;
        Ok(Outcome::Result(result))
    }

    /// Sends the command of a call on one transport, in a session if it needs or can have one. A session that has ended
    /// is begun again, once.
    async fn attempt(
        &self,
        transport: WabTransport,
        call: &WabCall,
        page: &dyn WabPage,
        deadline: Deadline,
    ) -> Result<Outcome, Attempt> {
        let mut fresh = false;
        loop {
            let token = self.token(transport, call, page, fresh, deadline).await?;
            if let (Some(token), Some(permission)) = (&token, &call.permission)
                && token.denies(permission)
            {
                let message =
                    format!("the session with the bridge does not grant `{permission}`; nothing was sent");
                let failure = Failure::new(ErrorCode::PermissionDenied, message);
                return Err(Attempt::Ended(failure.with_evidence("permission", permission.as_str())));
            }
            let renewable = token.is_some() && !fresh;
            let command = Command::new(self.id(), &call.method, &call.params, token);
            match self.send(transport, call, &command, page, deadline).await {
                Err(Attempt::Ended(failure))
                    if renewable
                        && matches!(failure.code, ErrorCode::AuthExpired | ErrorCode::AuthInvalid) =>
                {
                    fresh = true;
                }
                other => return other,
            }
        }
    }

    /// The token of a session on a transport: the one that is there, or a new one. None if the call needs none and no key is
    /// stored.
    async fn token(
        &self,
        transport: WabTransport,
        call: &WabCall,
        page: &dyn WabPage,
        fresh: bool,
        deadline: Deadline,
    ) -> Result<Option<Token>, Attempt> {
        let Line::Direct { credentials, .. } = &self.line else { return Ok(None) };
        if call.auth == WabAuth::None {
            return Ok(None);
        }
        let origin = origin_of(&call.url).unwrap_or_default();
        let found = credentials.find(&origin, "wab").map_err(|error| {
            let message = format!("the stored credentials cannot be read: {error}");
            Attempt::Ended(Failure::new(ErrorCode::CapabilityUnavailable, message))
        })?;
        let needed = call.auth == WabAuth::Required;
        let Some(key) = found else {
            if !needed {
                return Ok(None);
            }
            let message =
                format!("the action needs a session, and no key for the bridge of {origin} is stored");
            let hint = format!("store the key: actions auth set {origin} --system wab --scheme wab");
            let failure = Failure::new(ErrorCode::AuthRequired, message).with_evidence("origin", origin);
            return Err(Attempt::Ended(failure.with_evidence("hint", hint)));
        };
        let place = call.places.on(transport).unwrap_or_default();
        let reached = if transport == WabTransport::JsGlobal { page.url() } else { place.to_owned() };
        if !is_secure(&reached) {
            let message = format!("`{reached}` has no TLS, and keys are sent only with it; none was sent");
            let failure = Failure::new(ErrorCode::AuthRequired, message);
            return if needed { Err(Attempt::NotSent(failure)) } else { Ok(None) };
        }
        let slot = self.sessions.slot(&origin, transport, place);
        let mut known =
            tokio::time::timeout(deadline.remaining(&*self.clock), slot.lock()).await.map_err(|_| {
                let message = "the session with the bridge did not begin in time";
                Attempt::NotSent(Failure::new(ErrorCode::Timeout, message))
            })?;
        let now = self.clock.now();
        if let Some(token) = known.as_ref().filter(|token| !fresh && !token.is_due(now)) {
            return Ok(Some(token.clone()));
        }
        let secret = key.secret.expose();
        let params = json!({ "apiKey": secret, "meta": self.meta() });
        let command = Command::authenticating(self.id(), &params, secret);
        let renewed = self.send(transport, call, &command, page, deadline).await;
        let result = match renewed {
            Ok(Outcome::Result(result)) => result,
            Ok(Outcome::Navigated) => {
                let message = "the page went away while the session began";
                return Err(Attempt::NotSent(Failure::new(ErrorCode::TransportFailed, message)));
            }
            // A key that is not accepted is not the same as one that is not stored.
            Err(Attempt::Ended(failure)) if failure.code == ErrorCode::AuthRequired => {
                return Err(Attempt::Ended(Failure { code: ErrorCode::AuthInvalid, ..failure }));
            }
            // A session that is only due may go on to its end.
            Err(attempt) => match known.as_ref().filter(|token| !fresh && !token.has_ended(now)) {
                Some(token) => return Ok(Some(token.clone())),
                None => return Err(attempt),
            },
        };
        let token = Token::of(&result, secret, call.session_ttl, &*self.clock).ok_or_else(|| {
            let message = "the bridge accepted the key and named no token that can be sent";
            Attempt::Ended(Failure::new(ErrorCode::TransportFailed, message))
        })?;
        *known = Some(token.clone());
        Ok(Some(token))
    }
}

#[async_trait]
impl WabCaller for Agent {
    async fn command(
        &self,
        call: WabCall,
        page: &dyn WabPage,
        deadline: Deadline,
    ) -> Result<WabReply, Failure> {
        let mut tried = Vec::new();
        let mut last = None;
        for transport in call.order.iter().copied().filter(|one| call.places.on(*one).is_some()) {
            match self.attempt(transport, &call, page, deadline).await {
                Ok(Outcome::Result(result)) => return Ok(WabReply { result, transport, navigated: false }),
                Ok(Outcome::Navigated) if call.method == wire::EXECUTE => {
                    return Ok(WabReply { result: Value::Null, transport, navigated: true });
                }
                Ok(Outcome::Navigated) => {
                    let message = "the page went to another document before it could answer";
                    return Err(Failure::new(ErrorCode::HandlerFailed, message));
                }
                Err(Attempt::Ended(failure)) => return Err(failure),
                Err(Attempt::NotSent(failure)) => {
                    tried.push(json!({ "transport": transport, "why": failure.message }));
                    last = Some(failure);
                }
            }
            if deadline.remaining(&*self.clock).is_zero() {
                break;
            }
        }
        let failure = last.unwrap_or_else(|| {
            Failure::new(ErrorCode::TransportFailed, "the bridge offers no transport that can be used here")
        });
        Err(failure.with_evidence("tried", tried))
    }
}

/// Whether an address may carry a key: it has TLS, or does not leave the machine.
pub(super) fn is_secure(address: &str) -> bool {
    let Ok(url) = url::Url::parse(address) else { return false };
    let is_loopback = match url.host() {
        Some(url::Host::Domain(name)) => name.eq_ignore_ascii_case("localhost"),
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    matches!(url.scheme(), "https" | "wss") || is_loopback
}
