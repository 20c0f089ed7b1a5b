//! The pages of a session: which one is current, who may use each of them now, and what they share.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use actions_browser::{Clock, Context, Deadline, FrameId, Page};
use actions_primitives::{Memory, Pacing, Permits, Stage};
use actions_protocol::{ErrorCode, Millis};
use tokio::sync::OwnedMutexGuard;

use crate::failure::CallError;
use crate::state::Snapshots;

/// The number of a page in its session. The first page is 1, and no number is used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct PageId(pub u64);

impl std::fmt::Display for PageId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// What every view of a session shares.
pub(crate) struct Pages {
    /// The name of the session: unique within the process unless the embedder chose it.
    name: Mutex<String>,
    clock: Arc<dyn Clock>,
    /// The context, if the session owns it.
    context: Mutex<Option<Arc<dyn Context>>>,
    memory: Arc<Memory>,
    pub(super) snapshots: Snapshots,
    /// The address the session was opened with, until the first call.
    pub(super) start: Mutex<Option<String>>,
    held: Mutex<Held>,
    /// The span of everything that happens in the session.
    span: tracing::Span,
}

/// The pages that have a number.
struct Held {
    /// The open pages, in the order in which they opened. The current page stays here after it closed if it was the last.
    open: Vec<Arc<HeldPage>>,
    /// The page that calls run on, and before it the pages that were current earlier.
    current: Vec<PageId>,
    last_id: u64,
}

/// A page with its number.
pub(crate) struct HeldPage {
    pub(crate) id: PageId,
    /// The page that opened it.
    pub(crate) opener: Option<PageId>,
    /// The page without a map: what belongs to the page itself, such as the mark of its last navigation.
    pub(crate) stage: Stage,
    turn: Arc<tokio::sync::Mutex<()>>,
}

impl HeldPage {
    pub(crate) fn page(&self) -> &Arc<dyn Page> {
        self.stage.page_arc()
    }

    fn is_open(&self) -> bool {
        !self.page().is_closed()
    }
}

/// A page whose turn it is. The next call on the page waits until this is dropped.
pub(crate) struct Turn {
    pub(crate) page: Arc<HeldPage>,
    _guard: OwnedMutexGuard<()>,
}

impl Pages {
    pub(super) fn new(
        page: Arc<dyn Page>,
        clock: Arc<dyn Clock>,
        context: Option<Arc<dyn Context>>,
        pace: Millis,
    ) -> Arc<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let memory = Arc::new(Memory { pacing: Pacing::new(pace), ..Memory::default() });
        let first = Arc::new(HeldPage {
            id: PageId(1),
            opener: None,
            stage: Stage::new(page, Arc::clone(&clock), Permits::default()),
            turn: Arc::default(),
        });
        Arc::new(Self {
            name: Mutex::new(format!("session-{number}")),
            clock,
            context: Mutex::new(context),
            memory,
            snapshots: Snapshots::default(),
            start: Mutex::default(),
            held: Mutex::new(Held { open: vec![first], current: vec![PageId(1)], last_id: 1 }),
            span: tracing::info_span!("session", id = number),
        })
    }

    pub(super) fn set_name(&self, name: String) {
        *self.name.lock().unwrap_or_else(PoisonError::into_inner) = name;
    }

    pub(crate) fn name(&self) -> String {
        self.name.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn clock(&self) -> Arc<dyn Clock> {
        Arc::clone(&self.clock)
    }

    pub(super) fn memory(&self) -> &Arc<Memory> {
        &self.memory
    }

    pub(super) fn span(&self) -> tracing::Span {
        self.span.clone()
    }

    pub(super) fn context(&self) -> Option<Arc<dyn Context>> {
        self.context.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Takes the context away, to close it.
    pub(super) fn take_context(&self) -> Option<Arc<dyn Context>> {
        self.context.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// The open pages, in the order in which they opened.
    pub(crate) fn open(&self) -> Vec<Arc<HeldPage>> {
        self.held().open.iter().filter(|held| held.is_open()).cloned().collect()
    }

    /// The page that calls run on. If it has closed, its opener is current again, else the page that was current before.
    pub(crate) fn current(&self) -> Arc<HeldPage> {
        self.held().current()
    }

    /// An open page by its number.
    pub(crate) fn page(&self, id: PageId) -> Option<Arc<HeldPage>> {
        self.held().open.iter().find(|held| held.id == id && held.is_open()).cloned()
    }

    /// Makes an open page the current one. Calls that run stay on their page.
    pub(crate) fn activate(&self, id: PageId) -> Option<Arc<HeldPage>> {
        let mut held = self.held();
        let found = held.open.iter().find(|page| page.id == id && page.is_open()).cloned()?;
        held.current.retain(|earlier| *earlier != id);
        held.current.push(id);
        Some(found)
    }

    /// Waits until no other call runs on a page: on this one, or on the page that is current then.
    pub(super) async fn turn(&self, focus: Option<PageId>, deadline: Deadline) -> Result<Turn, CallError> {
        loop {
            let page = match focus {
                Some(id) => self.page(id).ok_or_else(|| closed(id))?,
                None => self.current(),
            };
            let guard = tokio::select! {
                biased;
                guard = Arc::clone(&page.turn).lock_owned() => guard,
                () = self.clock.sleep_until(deadline.at()) => {
                    let message =
                        format!("another call on the same page did not end within {:?}", deadline.limit());
                    return Err(CallError::new(ErrorCode::HandlerTimeout, message)
                        .with_evidence("waiting", "the end of the call before this one"));
                }
            };
            // The call before this one may have made another page the current one.
            if focus.is_some() || self.current().id == page.id {
                return Ok(Turn { page, _guard: guard });
            }
        }
    }

    /// The pages, after those of the context that have no number yet got one.
    fn held(&self) -> MutexGuard<'_, Held> {
        let context = self.context();
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(context) = context {
            held.adopt(context.pages(), &self.clock);
        }
        held.forget_closed();
        held
    }
}

impl Held {
    /// Gives a number to every page that has none.
    fn adopt(&mut self, pages: Vec<Arc<dyn Page>>, clock: &Arc<dyn Clock>) {
        for page in pages {
            if self.open.iter().any(|held| Arc::ptr_eq(held.page(), &page)) {
                continue;
            }
            self.last_id += 1;
            self.open.push(Arc::new(HeldPage {
                id: PageId(self.last_id),
                opener: page.opener().and_then(|opener| self.find(&opener)),
                stage: Stage::new(page, Arc::clone(clock), Permits::default()),
                turn: Arc::default(),
            }));
        }
    }

    fn find(&self, frame: &FrameId) -> Option<PageId> {
        self.open.iter().find(|held| held.page().main_frame() == *frame).map(|held| held.id)
    }

    /// Drops the pages that have closed, and returns from a closed current page to its opener, or to the page before it.
    fn forget_closed(&mut self) {
        let Some(open) = self.open.iter().rfind(|held| held.is_open()).map(|held| held.id) else { return };
        let current = self.current();
        if !current.is_open() {
            let is_open = |id: &PageId| self.open.iter().any(|held| held.id == *id && held.is_open());
            let opener = current.opener.filter(is_open);
            let earlier = self.current.iter().rfind(|id| is_open(id)).copied();
            let next = opener.or(earlier).unwrap_or(open);
            self.current.retain(|id| *id != next);
            self.current.push(next);
        }
        self.open.retain(|held| held.is_open());
        let Self { open, current, .. } = self;
        current.retain(|id| open.iter().any(|held| held.id == *id));
    }

    fn current(&self) -> Arc<HeldPage> {
        let id = self.current.last();
        let current = self.open.iter().find(|held| Some(&held.id) == id).or(self.open.last());
        Arc::clone(current.expect("a session keeps its last page even when it has closed"))
    }
}

/// The error of a call on a page that is not open.
pub(super) fn closed(id: PageId) -> CallError {
    CallError::new(ErrorCode::PageClosed, format!("page {id} is not an open page of this session"))
        .with_evidence("page", id.0)
}

/// How long closing a context may take.
pub(super) const CLOSING: Duration = Duration::from_secs(5);

impl Drop for Pages {
    fn drop(&mut self) {
        let Some(context) = self.take_context() else { return };
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let clock = self.clock();
        runtime.spawn(async move {
            let deadline = Deadline::after(&*clock, CLOSING);
            let _ = context.close(deadline).await;
        });
    }
}
