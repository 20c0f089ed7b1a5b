//! A bridge: the commands of maps on the page of a session.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};
use std::time::{Duration, Instant};

use actions_engine::browser::{Clock, SystemClock};
use actions_runtime::{MapVersion, Runtime, RuntimeEvent, RuntimeSession};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;
use tokio::task::AbortHandle;

use crate::audit::{Audit, NoAudit};
use crate::catalogue::Catalogue;
use crate::document::{About, document, site};
use crate::event::{Happened, SIGNAL};
use crate::keys::Keys;
use crate::names::NameCollision;
use crate::origins::Origins;
use crate::permission::{Permission, Permissions};
use crate::sessions::Sessions;

/// How many events wait for a client that does not read them.
const EVENTS: usize = 256;
/// The most subscriptions of clients without a connection.
const SUBSCRIPTIONS: usize = 256;
/// How long such a subscription waits for its client.
const WAITING: Duration = Duration::from_secs(60);

/// Which elements agents may read.
#[derive(Clone, Debug, Default)]
pub struct Selectors {
    /// Selectors that are refused.
    pub blocked: Vec<String>,
    /// If there are any, the only selectors that are not refused.
    pub allowed: Vec<String>,
}

impl Selectors {
    /// Whether an agent may use a selector. One of several that are joined is enough to refuse them.
    pub(crate) fn allow(&self, selector: &str) -> bool {
        let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let parts: Vec<String> = selector.split(',').map(plain).collect();
        let whole = plain(selector);
        let is_in = |list: &[String], one: &str| list.iter().any(|known| plain(known) == one);
        let is_blocked = is_in(&self.blocked, &whole) || parts.iter().any(|part| is_in(&self.blocked, part));
        let is_allowed = self.allowed.is_empty() || parts.iter().all(|part| is_in(&self.allowed, part));
        !is_blocked && is_allowed
    }
}

/// How a bridge is set up.
#[derive(Clone)]
pub struct BridgeOptions {
    /// The keys of agents.
    pub keys: Keys,
    /// Whether nothing is added for other dialects of the protocol.
    pub strict: bool,
    /// Whether commands that may change something need a session.
    pub auth_for_writes: bool,
    /// Permissions that are withheld although commands need them.
    pub withheld: Permissions,
    /// Which elements agents may read.
    pub selectors: Selectors,
    /// Whether pages of other origins are refused.
    pub require_origin_match: bool,
    /// Origins whose pages may talk to the bridge, beside that of the site.
    pub origins: Vec<String>,
    /// How long sessions last.
    pub session_ttl: Duration,
    /// How many commands a minute a session may send.
    pub max_rate: u64,
    /// What the site is, in a word.
    pub category: String,
    /// How long a command may take.
    pub timeout: Duration,
    /// Keeps the log of commands.
    pub audit: Arc<dyn Audit>,
    /// By which sessions end.
    pub clock: Arc<dyn Clock>,
}

impl Default for BridgeOptions {
    fn default() -> Self {
        Self {
            keys: Keys::default(),
            strict: false,
            auth_for_writes: false,
            withheld: Permissions::default(),
            selectors: Selectors::default(),
            require_origin_match: true,
            origins: Vec::new(),
            session_ttl: Duration::from_secs(3_600),
            max_rate: 60,
            category: "website".to_owned(),
            timeout: Duration::from_secs(120),
            audit: Arc::new(NoAudit),
            clock: Arc::new(SystemClock),
        }
    }
}

impl std::fmt::Debug for BridgeOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BridgeOptions")
            .field("strict", &self.strict)
            .field("max_rate", &self.max_rate)
            .finish_non_exhaustive()
    }
}

/// Why there is no bridge.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BridgeError {
    /// Two tools would be one command.
    #[error(transparent)]
    Collision(#[from] NameCollision),
    /// Sessions would be too short.
    #[error("sessions last at least 60 seconds, and at least one command a minute is allowed")]
    TooLittle,
}

/// A bridge. Clones are the same bridge.
#[derive(Clone)]
pub struct Bridge {
    pub(crate) shared: Arc<Shared>,
}

impl std::fmt::Debug for Bridge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Bridge").field("session", &self.shared.session.name()).finish_non_exhaustive()
    }
}

/// What all transports of a bridge share.
pub(crate) struct Shared {
    pub(crate) session: RuntimeSession,
    pub(crate) options: BridgeOptions,
    pub(crate) sessions: Sessions,
    maps: RwLock<Maps>,
    /// The host and the port that it is served at.
    address: OnceLock<String>,
    pub(crate) events: broadcast::Sender<Happened>,
    pub(crate) waiting: Mutex<HashMap<String, Subscription>>,
    following: Mutex<Option<AbortHandle>>,
}

/// A subscription whose client has not connected yet.
pub(crate) struct Subscription {
    pub(crate) events: Vec<String>,
    pub(crate) session: Option<[u8; 32]>,
    pub(crate) receiver: broadcast::Receiver<Happened>,
    since: Instant,
}

struct Maps {
    versions: Vec<MapVersion>,
    catalogue: Arc<Catalogue>,
}

impl Drop for Shared {
    fn drop(&mut self) {
        if let Some(following) = self.following.lock().unwrap_or_else(PoisonError::into_inner).take() {
            following.abort();
        }
    }
}

impl Bridge {
    /// A bridge over a session, with the tools of maps.
    pub fn new(
        runtime: &Runtime,
        session: RuntimeSession,
        maps: &[MapVersion],
        options: BridgeOptions,
    ) -> Result<Self, BridgeError> {
        if options.session_ttl < Duration::from_secs(60) || options.max_rate == 0 {
            return Err(BridgeError::TooLittle);
        }
        let catalogue = Arc::new(Catalogue::of(maps, options.auth_for_writes)?);
        let shared = Arc::new(Shared {
            session,
            options,
            sessions: Sessions::default(),
            maps: RwLock::new(Maps { versions: maps.to_vec(), catalogue }),
            address: OnceLock::new(),
            events: broadcast::Sender::new(EVENTS),
            waiting: Mutex::default(),
            following: Mutex::default(),
        });
        let following = tokio::spawn(follow(runtime.events(), Arc::downgrade(&shared)));
        *shared.following.lock().unwrap_or_else(PoisonError::into_inner) = Some(following.abort_handle());
        Ok(Self { shared })
    }

    /// Uses other versions of the maps from now on. Clients that subscribe hear of permissions that change.
    pub fn set_maps(&self, maps: &[MapVersion]) -> Result<(), BridgeError> {
        let before = self.shared.permissions();
        let catalogue = Arc::new(Catalogue::of(maps, self.shared.options.auth_for_writes)?);
        *self.shared.maps.write().unwrap_or_else(PoisonError::into_inner) =
            Maps { versions: maps.to_vec(), catalogue };
        let after = self.shared.permissions();
        if before != after {
            self.shared.tell(Happened::new("permissionChanged", json!({ "permissions": after.to_json() })));
        }
        Ok(())
    }

    /// The discovery document.
    pub fn document(&self) -> Value {
        self.shared.document()
    }
}

impl Shared {
    pub(crate) fn catalogue(&self) -> Arc<Catalogue> {
        Arc::clone(&self.maps.read().unwrap_or_else(PoisonError::into_inner).catalogue)
    }

    /// What the bridge grants: what the commands need, and reading, without what is withheld.
    pub(crate) fn permissions(&self) -> Permissions {
        let needs = self.catalogue().needs.or(Permissions::of([Permission::ReadContent]));
        needs.without(self.options.withheld)
    }

    /// Notes the host and the port that the bridge is served at.
    pub(crate) fn served_at(&self, address: String) {
        // A second address is served as well, and the document names the first.
        let _ = self.address.set(address);
    }

    pub(crate) fn document(&self) -> Value {
        let maps = self.maps.read().unwrap_or_else(PoisonError::into_inner);
        let needs = maps.catalogue.needs.or(Permissions::of([Permission::ReadContent]));
        let about = About {
            category: &self.options.category,
            permissions: needs.without(self.options.withheld),
            address: self.address.get().map(String::as_str),
            must_match: self.options.require_origin_match,
            session_ttl: self.options.session_ttl.as_secs(),
            max_rate: self.options.max_rate,
            strict: self.options.strict,
        };
        document(&maps.versions, &maps.catalogue, &about)
    }

    /// The document as text, with a tag that names its version.
    pub(crate) fn tagged(&self) -> (String, String) {
        let text = self.document().to_string();
        let digest = Sha256::digest(&text);
        let tag = format!("\"{}\"", data_encoding::HEXLOWER.encode(&digest[..12]));
        (text, tag)
    }

    /// Which pages may talk to the bridge.
    pub(crate) fn origins(&self) -> Origins {
        let own = site(&self.maps.read().unwrap_or_else(PoisonError::into_inner).versions);
        let served = self.address.get().map(|address| format!("http://{address}"));
        let listed = self.options.origins.iter().cloned();
        Origins {
            must_match: self.options.require_origin_match,
            allowed: listed.chain(own).chain(served).collect(),
        }
    }

    pub(crate) fn now(&self) -> Instant {
        self.options.clock.now()
    }

    /// Tells those who subscribe.
    pub(crate) fn tell(&self, happened: Happened) {
        // Nobody may listen.
        let _ = self.events.send(happened);
    }

    /// Keeps a subscription until its client connects.
    pub(crate) fn wait_for_client(&self, id: &str, events: Vec<String>, session: Option<[u8; 32]>) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.retain(|_, one| one.since.elapsed() < WAITING);
        if waiting.len() < SUBSCRIPTIONS {
            let receiver = self.events.subscribe();
            waiting.insert(id.to_owned(), Subscription { events, session, receiver, since: Instant::now() });
        }
    }

    /// The subscription that a client connects for; each is taken once.
    pub(crate) fn take_subscription(&self, id: &str) -> Option<Subscription> {
        let found = self.waiting.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
        found.filter(|one| one.since.elapsed() < WAITING)
    }
}

/// Passes on the signals of the pages of the session.
async fn follow(mut events: broadcast::Receiver<RuntimeEvent>, shared: std::sync::Weak<Shared>) {
    loop {
        let event = events.recv().await;
        let Some(shared) = shared.upgrade() else { return };
        match event {
            Ok(RuntimeEvent::Signal { session, signal, .. }) if session == shared.session.name() => {
                let data = json!({ "name": signal.name, "payload": signal.payload, "url": signal.url });
                shared.tell(Happened::new(format!("{SIGNAL}{}", signal.name), data));
            }
            Ok(_) | Err(RecvError::Lagged(_)) => {}
            Err(RecvError::Closed) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g12_lists_of_selectors_hold_for_each_part_of_a_selector() {
        let list = |items: &[&str]| items.iter().map(|item| (*item).to_owned()).collect();
        let blocked = Selectors { blocked: list(&["#secret", ".card > .number"]), allowed: Vec::new() };
        assert!(blocked.allow("#menu") && !blocked.allow("#secret") && !blocked.allow("#menu,  #secret"));
        assert!(!blocked.allow(".card  >  .number"));
        let only = Selectors { allowed: list(&["#menu"]), blocked: Vec::new() };
        assert!(only.allow("#menu") && !only.allow("#menu, body") && !only.allow("body"));
    }
}
