//! The browsers of a runtime: the one that new sessions open in, and old ones that close with their last session.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Instant;

use actions_engine::CallError;
use actions_engine::browser::Browser;

use crate::launcher::Launcher;
use crate::options::Retirement;

/// A browser with its age. It closes when the last session that uses it has ended and it is not the current one.
pub(crate) struct Generation {
    pub(crate) browser: Arc<dyn Browser>,
    launched: Instant,
    sessions: AtomicU64,
    lost: tokio::sync::watch::Receiver<Option<String>>,
    /// Ends the task that waits for the loss of the browser.
    watching: tokio::task::AbortHandle,
}

impl Generation {
    fn new(browser: Arc<dyn Browser>) -> Arc<Self> {
        let (sender, lost) = tokio::sync::watch::channel(None);
        let watched = Arc::clone(&browser);
        let watching = tokio::spawn(async move {
            let error = watched.lost().await;
            sender.send_replace(Some(error.to_string()));
        });
        let launched = browser.clock().now();
        let watching = watching.abort_handle();
        Arc::new(Self { browser, launched, sessions: AtomicU64::new(0), lost, watching })
    }

    /// What is known about the loss of the browser, if it is lost.
    pub(crate) fn lost(&self) -> Option<String> {
        self.lost.borrow().clone()
    }

    /// Completes when the browser is lost. The future does not keep the browser open.
    pub(crate) fn wait_for_loss(&self) -> impl Future<Output = String> + Send + use<> {
        let mut lost = self.lost.clone();
        async move {
            let reason = lost.wait_for(Option::is_some).await.ok().and_then(|reason| reason.clone());
            match reason {
                Some(reason) => reason,
                // The browser was closed, not lost.
                None => std::future::pending().await,
            }
        }
    }

    fn is_old(&self, retirement: &Retirement) -> bool {
        let age = self.browser.clock().now().saturating_duration_since(self.launched);
        age >= retirement.age
            || self.sessions.load(Ordering::Relaxed) >= retirement.sessions
            || self.browser.memory().is_some_and(|memory| memory >= retirement.memory)
    }

    async fn close(&self) {
        self.watching.abort();
        self.browser.close().await;
    }
}

/// The browsers of a runtime.
pub(crate) struct Browsers {
    launcher: Box<dyn Launcher>,
    retirement: Retirement,
    /// The browser that new sessions open in. Locked while one is launched, so that two sessions do not launch two.
    current: tokio::sync::Mutex<Option<Arc<Generation>>>,
    /// Every browser that may still be running.
    all: Mutex<Vec<Weak<Generation>>>,
}

impl Browsers {
    pub(crate) fn new(launcher: impl Launcher, retirement: Retirement) -> Self {
        Self {
            launcher: Box::new(launcher),
            retirement,
            current: tokio::sync::Mutex::default(),
            all: Mutex::default(),
        }
    }

    /// The browser for a new session: the current one, or a new one if that is old or lost.
    pub(crate) async fn for_session(&self) -> Result<Arc<Generation>, CallError> {
        let mut current = self.current.lock().await;
        if let Some(generation) = &*current
            && generation.lost().is_none()
            && !generation.is_old(&self.retirement)
        {
            generation.sessions.fetch_add(1, Ordering::Relaxed);
            return Ok(Arc::clone(generation));
        }
        let old = current.take();
        let generation = Generation::new(self.launcher.launch().await?);
        generation.sessions.fetch_add(1, Ordering::Relaxed);
        self.all.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::downgrade(&generation));
        *current = Some(Arc::clone(&generation));
        drop(current);
        // It stays open as long as a session holds it.
        if let Some(old) = old {
            Self::release(old).await;
        }
        Ok(generation)
    }

    /// Gives a browser back. Closes it if nothing else holds it.
    pub(crate) async fn release(generation: Arc<Generation>) {
        if let Some(generation) = Arc::into_inner(generation) {
            generation.close().await;
        }
    }

    /// Lets go of the current browser if no session uses it.
    pub(crate) async fn close_unused(&self) {
        let mut current = self.current.lock().await;
        if current.as_ref().is_some_and(|generation| Arc::strong_count(generation) == 1)
            && let Some(generation) = current.take()
        {
            Self::release(generation).await;
        }
    }

    /// Closes every browser.
    pub(crate) async fn close(&self) {
        self.current.lock().await.take();
        let all: Vec<_> = self.all.lock().unwrap_or_else(PoisonError::into_inner).drain(..).collect();
        for generation in all.iter().filter_map(Weak::upgrade) {
            generation.close().await;
        }
    }
}

impl Drop for Generation {
    fn drop(&mut self) {
        self.watching.abort();
    }
}
