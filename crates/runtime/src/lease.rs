//! A session in use: it does not count as idle until this is dropped.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use actions_engine::Session;
use actions_engine::browser::Clock;

/// When a session was last used, and by how many clients it is used now.
pub(crate) struct Usage {
    clock: Arc<dyn Clock>,
    running: AtomicUsize,
    last: Mutex<Instant>,
    last_unix_millis: AtomicU64,
    /// Notified when a client stops using the session.
    changed: tokio::sync::Notify,
}

impl Usage {
    pub(crate) fn new(clock: Arc<dyn Clock>) -> Arc<Self> {
        let (now, millis) = (clock.now(), clock.unix_millis());
        Arc::new(Self {
            clock,
            running: AtomicUsize::new(0),
            last: Mutex::new(now),
            last_unix_millis: AtomicU64::new(millis),
            changed: tokio::sync::Notify::new(),
        })
    }

    fn touch(&self) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = self.clock.now();
        self.last_unix_millis.store(self.clock.unix_millis(), Ordering::Relaxed);
    }

    /// For how long no client has used the session; zero while a client does.
    pub(crate) fn idle(&self) -> Duration {
        if self.running.load(Ordering::Acquire) > 0 {
            return Duration::ZERO;
        }
        let last = *self.last.lock().unwrap_or_else(PoisonError::into_inner);
        self.clock.now().saturating_duration_since(last)
    }

    pub(crate) fn last_unix_millis(&self) -> u64 {
        self.last_unix_millis.load(Ordering::Relaxed)
    }

    /// Waits until no client uses the session.
    pub(crate) async fn until_unused(&self) {
        loop {
            let changed = self.changed.notified();
            if self.running.load(Ordering::Acquire) == 0 {
                return;
            }
            changed.await;
        }
    }
}

/// A session that a client uses. It derefs to the [`Session`] of the engine, under the map and on the page that the client
/// asked for.
pub struct Lease {
    session: Session,
    usage: Arc<Usage>,
}

impl Lease {
    pub(crate) fn new(session: Session, usage: &Arc<Usage>) -> Self {
        usage.running.fetch_add(1, Ordering::AcqRel);
        usage.touch();
        Self { session, usage: Arc::clone(usage) }
    }
}

impl std::ops::Deref for Lease {
    type Target = Session;

    fn deref(&self) -> &Session {
        &self.session
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.usage.touch();
        self.usage.running.fetch_sub(1, Ordering::AcqRel);
        self.usage.changed.notify_waiters();
    }
}
