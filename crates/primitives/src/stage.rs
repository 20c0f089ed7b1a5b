//! Where primitives act: one page of a session, and the services of the session.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use actions_browser::{Clock, Deadline, DialogPolicy, NavigationMark, Page};
use serde_json::Value;

use crate::Failure;
use crate::services::{Memory, Services};

/// What primitives may do beyond a page.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Permits {
    /// The folders that files may be uploaded from; none when empty.
    pub upload_from: Vec<PathBuf>,
    /// The folder that downloads are saved to; they are refused when absent.
    pub download_to: Option<PathBuf>,
    /// The origins that requests without a page may go to; any when absent.
    pub origins: Option<BTreeSet<String>>,
}

impl Permits {
    /// Permits uploads of files in these folders only.
    #[must_use]
    pub fn upload_from(mut self, folders: impl IntoIterator<Item = PathBuf>) -> Self {
        self.upload_from = folders.into_iter().collect();
        self
    }

    /// Permits downloads, into this folder. The browser context must keep them; see `DownloadPolicy::Keep`.
    #[must_use]
    pub fn download_to(mut self, folder: impl Into<PathBuf>) -> Self {
        self.download_to = Some(folder.into());
        self
    }

    /// Confines requests without a page to these origins.
    #[must_use]
    pub fn origins(mut self, origins: Option<BTreeSet<String>>) -> Self {
        self.origins = origins;
        self
    }
}

/// Where primitives act: one page of a session, the services of the session, a clock, and what primitives may do.
///
/// It is cheap to clone. Clones share the page and what belongs to it; services and permits can differ, because several maps
/// may apply to one page.
#[derive(Clone)]
pub struct Stage {
    page: Arc<dyn Page>,
    clock: Arc<dyn Clock>,
    permits: Arc<Permits>,
    services: Arc<dyn Services>,
    /// How long after the deadline of a call the page may still answer.
    late: Duration,
    /// The moment before the last action that may have caused a navigation.
    moved: Arc<Mutex<NavigationMark>>,
    /// The states that signals of the document say are current.
    signalled: Arc<Mutex<BTreeSet<String>>>,
}

impl Stage {
    /// A stage on a page, with the services of a session that has no map.
    pub fn new(page: Arc<dyn Page>, clock: Arc<dyn Clock>, permits: Permits) -> Self {
        let moved = Arc::new(Mutex::new(page.navigation_mark()));
        let services = Arc::new(Memory::default());
        Self {
            page,
            clock,
            permits: Arc::new(permits),
            services,
            late: Duration::ZERO,
            moved,
            signalled: Arc::default(),
        }
    }

    /// Uses the services of a session.
    #[must_use]
    pub fn with_services(mut self, services: Arc<dyn Services>) -> Self {
        self.services = services;
        self
    }

    /// Sets what primitives may do beyond the page.
    #[must_use]
    pub fn with_permits(mut self, permits: Permits) -> Self {
        self.permits = Arc::new(permits);
        self
    }

    /// The services of the session.
    pub fn services(&self) -> &dyn Services {
        &*self.services
    }

    /// What the session remembers between primitives.
    pub fn memory(&self) -> &Memory {
        self.services.memory()
    }

    /// Accepts the answer of the page to a wait up to `late` after the deadline. On a busy machine the answer is late, and
    /// it says more than a timeout without an answer. The default is zero, for callers that end calls themselves.
    #[must_use]
    pub fn hearing_late_answers(mut self, late: Duration) -> Self {
        self.late = late;
        self
    }

    /// The deadline for the answer to a wait that the page script ends by itself.
    pub(crate) fn last_answer(&self, deadline: Deadline) -> Deadline {
        deadline.later_by(self.late)
    }

    /// Marks now as the start of the next wait for a navigation. The wait then also finds a navigation that finishes before
    /// the wait is called.
    pub fn mark_navigation(&self) {
        *self.moved.lock().unwrap_or_else(PoisonError::into_inner) = self.page.navigation_mark();
    }

    /// The moment after which a navigation counts for the next wait.
    pub(crate) fn navigation_mark(&self) -> NavigationMark {
        *self.moved.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a signal of the document says that a state is current.
    pub fn is_signalled(&self, state: &str) -> bool {
        self.signalled.lock().unwrap_or_else(PoisonError::into_inner).contains(state)
    }

    /// Notes what a signal says: these states are current from now on, and those are not any more.
    pub fn signal_states<'s>(
        &self,
        current: impl IntoIterator<Item = &'s str>,
        left: impl IntoIterator<Item = &'s str>,
    ) {
        let mut signalled = self.signalled.lock().unwrap_or_else(PoisonError::into_inner);
        for state in left {
            signalled.remove(state);
        }
        signalled.extend(current.into_iter().map(str::to_owned));
    }

    /// Forgets what signals said: the page shows another document.
    pub fn forget_signals(&self) {
        self.signalled.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// The page.
    pub fn page(&self) -> &dyn Page {
        &*self.page
    }

    /// The page, as a shared pointer.
    pub fn page_arc(&self) -> &Arc<dyn Page> {
        &self.page
    }

    /// The clock by which deadlines are measured.
    pub fn clock(&self) -> Arc<dyn Clock> {
        Arc::clone(&self.clock)
    }

    /// What primitives may do beyond the page.
    pub fn permits(&self) -> &Permits {
        &self.permits
    }

    /// Calls a function that is already on the page, with JSON arguments.
    pub async fn call_page_function(
        &self,
        path: &str,
        args: &[Value],
        deadline: Deadline,
    ) -> Result<Value, Failure> {
        Ok(self.page.call_page_function(path, args, deadline).await?)
    }

    /// Answers the dialogs of the page by a policy until the returned guard is dropped.
    pub fn answer_dialogs(&self, policy: DialogPolicy) -> DialogGuard {
        let before = self.page.set_dialog_policy(policy);
        DialogGuard { page: Arc::clone(&self.page), before }
    }
}

impl std::fmt::Debug for Stage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stage").field("url", &self.page.url()).field("permits", &self.permits).finish()
    }
}

/// Restores the previous dialog policy when it is dropped.
pub struct DialogGuard {
    page: Arc<dyn Page>,
    before: DialogPolicy,
}

impl Drop for DialogGuard {
    fn drop(&mut self) {
        self.page.set_dialog_policy(self.before);
    }
}
