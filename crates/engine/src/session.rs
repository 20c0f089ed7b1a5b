//! A map on a page.

use std::sync::Arc;
use std::time::Duration;

use actions_browser::{Clock, Context, Deadline, Page};
use actions_primitives::Stage;
use actions_protocol::{ErrorCode, Millis};
use tokio::sync::{Mutex, MutexGuard};

use crate::call::Call;
use crate::engine::Engine;
use crate::failure::CallError;
use crate::run::Pacer;
use crate::site::{SiteCall, SiteRequest};
use crate::state::{Reader, Snapshot, Snapshots};

/// A map on a page. Calls on one session run one after the other.
///
/// Dropping it closes the page it opened, without waiting.
pub struct Session {
    engine: Engine,
    stage: Stage,
    pub(crate) pacer: Pacer,
    turn: Mutex<()>,
    snapshots: Snapshots,
    owned: Option<Arc<dyn Context>>,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session")
            .field("stage", &self.stage)
            .field("owns_page", &self.owned.is_some())
            .finish()
    }
}

impl Session {
    pub(crate) fn new(
        engine: Engine,
        page: Arc<dyn Page>,
        clock: Arc<dyn Clock>,
        owned: Option<Arc<dyn Context>>,
    ) -> Self {
        let stage = Stage::new(page, clock, engine.permits.clone());
        Self {
            engine,
            stage,
            pacer: Pacer::default(),
            turn: Mutex::new(()),
            snapshots: Snapshots::default(),
            owned,
        }
    }

    /// The page.
    pub fn page(&self) -> &Arc<dyn Page> {
        self.stage.page_arc()
    }

    /// The stage primitives act on.
    pub fn stage(&self) -> &Stage {
        &self.stage
    }

    /// A call of a tool, to be completed and run.
    pub fn call(&self, tool: impl Into<String>) -> Call<'_> {
        Call::new(self, tool.into())
    }

    /// A request of `actions.site`, to be completed and run: what a map offers here, one of its tools, or the state
    /// of the page.
    pub fn site(&self, request: SiteRequest) -> SiteCall<'_> {
        SiteCall::new(self, request)
    }

    /// The snapshot with which the next difference of a projection is told.
    pub fn snapshot(&self, projection: &str) -> Option<Snapshot> {
        self.snapshots.last(projection)
    }

    /// Puts a snapshot from elsewhere in the place of the last one.
    pub fn keep_snapshot(&self, snapshot: Snapshot) {
        self.snapshots.keep(snapshot);
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }

    /// When something that begins now must be over.
    pub(crate) fn deadline(&self, timeout: Option<Millis>) -> Deadline {
        let limit = timeout.unwrap_or(self.engine.limits.call_timeout);
        Deadline::after(&*self.stage.clock(), Duration::from_millis(limit.0))
    }

    /// Waits until nothing else happens on the page, within the time of whatever waits.
    pub(crate) async fn turn(&self, deadline: Deadline) -> Result<MutexGuard<'_, ()>, CallError> {
        let clock = self.stage.clock();
        tokio::select! {
            biased;
            turn = self.turn.lock() => Ok(turn),
            () = clock.sleep_until(deadline.at()) => {
                let message =
                    format!("another call on the same page did not end within {:?}", deadline.limit());
                Err(CallError::new(ErrorCode::HandlerTimeout, message)
                    .with_evidence("waiting", "the end of the call before this one"))
            }
        }
    }

    /// Reads projections within a time.
    pub(crate) fn reader(&self, deadline: Deadline) -> Reader<'_> {
        let Engine { manifest, limits, .. } = &self.engine;
        Reader { manifest, stage: &self.stage, limits, deadline }
    }

    /// Closes the page it opened, and waits for that.
    pub async fn close(mut self) {
        if let Some(context) = self.owned.take() {
            let deadline = Deadline::after(&*self.stage.clock(), CLOSING);
            // Whatever went wrong, the page is not ours any more.
            let _ = context.close(deadline).await;
        }
    }
}

/// How long closing a page may take.
const CLOSING: Duration = Duration::from_secs(5);

impl Drop for Session {
    fn drop(&mut self) {
        let Some(context) = self.owned.take() else { return };
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let clock = self.stage.clock();
        runtime.spawn(async move {
            let deadline = Deadline::after(&*clock, CLOSING);
            let _ = context.close(deadline).await;
        });
    }
}
