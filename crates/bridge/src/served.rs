//! A page as a runtime of the protocol: takes calls in their order, and knows what it shows.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use actions_engine::browser::Deadline;
use actions_engine::{CallError, CancellationToken, ErrorCode, Millis, PageId, SessionPage};
use actions_protocol::{
    AttachmentStatus, BrowserId, Item, RuntimeId, RuntimeKey, RuntimeReady, RuntimeRemoved, RuntimeStatus,
    Tab, Timestamp,
};
use actions_runtime::{PageReport, RuntimeSession};
use serde_json::{Map, Value, json};
use tokio::sync::{Notify, mpsc};
use tokio::time::Instant;

use crate::limits;
use crate::order::Order;
use crate::perform::perform;
use crate::progress::now;
use crate::routing::Candidate;

/// A page as a runtime of the protocol.
pub(crate) struct Served {
    pub(crate) runtime_id: RuntimeId,
    pub(crate) runtime_key: RuntimeKey,
    pub(crate) session: RuntimeSession,
    pub(crate) page: PageId,
    /// The number of its session, which stands for a window.
    window: i64,
    orders: mpsc::Sender<Order>,
    facts: Mutex<Facts>,
    /// Asks for a look at the page.
    nudge: Notify,
    /// Whether a call runs on the page.
    busy: AtomicBool,
    /// Cancelled when the page is no runtime any more.
    pub(crate) gone: CancellationToken,
}

/// What is known about the page.
#[derive(Clone, Debug, Default, PartialEq)]
struct Facts {
    url: String,
    title: String,
    is_current: bool,
    /// The states that are current, if the page was looked at since it came to its address.
    states: Option<Vec<String>>,
    observed_at: Option<Timestamp>,
    /// What it said by itself.
    report: PageReport,
}

impl Served {
    /// A page as a runtime, and the calls that will wait for it.
    pub(crate) fn new(
        session: &RuntimeSession,
        page: &SessionPage,
        window: i64,
    ) -> Option<(Arc<Self>, mpsc::Receiver<Order>)> {
        let (orders, waiting) = mpsc::channel(limits::CALLS_OF_PAGE);
        let facts = Facts { url: page.page.url(), is_current: page.is_current, ..Facts::default() };
        let served = Self {
            runtime_id: RuntimeId::parse(&page.runtime_id).ok()?,
            runtime_key: RuntimeKey::parse(&format!("page:{}", page.runtime_id)).ok()?,
            session: session.clone(),
            page: page.id,
            window,
            orders,
            facts: Mutex::new(facts),
            nudge: Notify::new(),
            busy: AtomicBool::new(false),
            gone: CancellationToken::new(),
        };
        Some((Arc::new(served), waiting))
    }

    fn facts(&self) -> MutexGuard<'_, Facts> {
        self.facts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a call to those that wait. Returns it if too many wait already.
    pub(crate) fn take(&self, order: Order) -> Result<(), Box<Order>> {
        self.orders.try_send(order).map_err(|error| Box::new(error.into_inner()))
    }

    /// Notes the address of the page and whether it is the current one. Returns whether clients should hear of it.
    pub(crate) fn note(&self, page: &SessionPage) -> bool {
        let url = page.page.url();
        let mut facts = self.facts();
        if facts.url != url {
            facts.states = None;
        }
        let changed = facts.url != url || facts.is_current != page.is_current;
        (facts.url, facts.is_current) = (url, page.is_current);
        drop(facts);
        if changed {
            self.nudge.notify_one();
        }
        changed
    }

    /// Whether a call runs on the page.
    pub(crate) fn is_busy(&self) -> bool {
        self.busy.load(Ordering::Relaxed)
    }

    /// Asks for a look at the page.
    pub(crate) fn look_soon(&self) {
        self.nudge.notify_one();
    }

    /// The page as routing sees it.
    pub(crate) fn candidate(&self) -> Candidate {
        let facts = self.facts();
        Candidate {
            runtime_id: self.runtime_id.clone(),
            runtime_key: self.runtime_key.clone(),
            url: facts.url.clone(),
            title: facts.title.clone(),
            is_current: facts.is_current,
            session: self.session.name().to_owned(),
        }
    }

    /// The announcement of the runtime.
    pub(crate) fn ready(&self) -> Item {
        let facts = self.facts().clone();
        let mut ready = RuntimeReady::new(self.runtime_id.clone(), facts.url.clone());
        ready.runtime_key = Some(self.runtime_key.clone());
        ready.host = host(&facts.url).map(str::to_owned);
        ready.title = Some(facts.title.clone());
        ready.extension_version = Some(env!("CARGO_PKG_VERSION").to_owned());
        ready.manifest = Some(self.manifest());
        ready.device = Some(json!(format!("actions · {}", self.session.name())));
        ready.tab = Some(Tab {
            tab_id: self.page.to_string().parse().ok().map(BrowserId::Number),
            window_id: Some(BrowserId::Number(self.window)),
            title: Some(facts.title),
            active: Some(facts.is_current),
            extra: Map::new(),
        });
        ready.into()
    }

    /// The report of the runtime.
    pub(crate) fn status(&self) -> Item {
        let facts = self.facts().clone();
        let mut status = RuntimeStatus::new(self.runtime_id.clone());
        status.url = Some(facts.url);
        status.connected = Some(self.session.lost().is_none());
        status.states = facts.states;
        status.actions = Some(self.actions().into_iter().map(Value::from).collect());
        let report = self.session.page_report(self.page);
        if !report.attachments.is_empty() {
            let standing = report.attachments.into_iter().map(|one| {
                let mut extra = Map::new();
                extra.insert("instances".to_owned(), json!(one.instances));
                extra.extend(one.problem.map(|problem| ("problem".to_owned(), json!(problem))));
                AttachmentStatus { id: one.id, state: one.state, extra }
            });
            status.attachments = Some(standing.collect());
        }
        if !report.signals.is_empty() || report.dropped > 0 {
            let signals = json!({ "by_name": report.signals, "dropped": report.dropped });
            status.extra.insert("signals".to_owned(), signals);
        }
        status.observed_at = facts.observed_at.or_else(now);
        status.into()
    }

    /// The end of the runtime.
    pub(crate) fn removed(&self) -> Item {
        RuntimeRemoved::new(self.runtime_id.clone()).into()
    }

    fn actions(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for view in self.session.views() {
            names.extend(view.map().tools().filter(|name| !names.contains(name)).collect::<Vec<_>>());
        }
        names
    }

    /// The map with the highest precedence, in short; `actions.site` lists everything.
    fn manifest(&self) -> Map<String, Value> {
        let views = self.session.views();
        let root = views.first().map(|view| view.map().manifest().document().root().to_value());
        let mut manifest = Map::new();
        for key in ["protocol", "version", "surface"] {
            if let Some(value) = root.as_ref().and_then(|root| root.get(key)) {
                manifest.insert(key.to_owned(), value.clone());
            }
        }
        let tools: Vec<Value> = self.actions().into_iter().map(|name| json!({ "name": name })).collect();
        manifest.insert("tools".to_owned(), json!(tools));
        manifest
    }

    /// Performs the calls of the page one after the other, and looks at the page while it rests. `changed` is called when
    /// there is news of the page. Returns when the page is gone.
    pub(crate) async fn work(&self, mut orders: mpsc::Receiver<Order>, changed: impl Fn(&Self, bool)) {
        let mut look_at = Instant::now();
        loop {
            let resting = async {
                tokio::select! {
                    () = tokio::time::sleep_until(look_at) => {}
                    () = self.nudge.notified() => {}
                }
                // A call that arrives ends the look, and the next rest begins another one.
                self.look().await
            };
            tokio::select! {
                biased;
                () = self.gone.cancelled() => break,
                order = orders.recv() => {
                    let Some(mut order) = order else { break };
                    self.busy.store(true, Ordering::Relaxed);
                    self.one(&mut order).await;
                    self.busy.store(false, Ordering::Relaxed);
                    look_at = Instant::now() + limits::REST;
                }
                (is_new_page, is_news) = resting => {
                    if is_new_page || is_news {
                        changed(self, is_new_page);
                    }
                    look_at = Instant::now() + limits::HEARTBEAT;
                }
            }
        }
        orders.close();
        while let Ok(order) = orders.try_recv() {
            order.answer(Err(self.closed()), Map::new());
        }
    }

    async fn one(&self, order: &mut Order) {
        if order.cancel.is_cancelled() {
            let error = CallError::new(ErrorCode::Cancelled, "the call was cancelled before it began");
            return order.answer(Err(error), Map::new());
        }
        if !order.client.is_reachable() {
            let message = "the client left before the call began";
            return order.answer(Err(CallError::new(ErrorCode::Cancelled, message)), Map::new());
        }
        let limit = order.limit.map(|limit| Duration::from_millis(limit.0));
        if limit.is_some_and(|limit| order.since.elapsed() >= limit) {
            let message = "the calls before this one on the same page did not end in time";
            let error = CallError::new(ErrorCode::HandlerTimeout, message)
                .with_evidence("waiting", "the end of the calls before this one");
            return order.answer(Err(error), Map::new());
        }
        // Boxed: the future of a call is large.
        Box::pin(perform(&self.session, self.page, order)).await;
    }

    /// The error of a call to a page that has closed.
    pub(crate) fn closed(&self) -> CallError {
        let message = format!("the page `{}` was closed before the call began", self.runtime_id);
        CallError::new(ErrorCode::PageClosed, message)
    }

    /// Looks at the page. Returns whether its announcement changes by what is seen, and whether its report does.
    pub(crate) async fn look(&self) -> (bool, bool) {
        // A look is no use of the session: it may end as idle.
        let view = self.session.views().into_iter().next().map(|view| view.on(self.page));
        let Some(view) = view.filter(|_| self.session.lost().is_none()) else { return (false, false) };
        let deadline = Deadline::after(&*view.stage().clock(), limits::LOOK);
        let page = view.page();
        if page.is_closed() {
            return (false, false);
        }
        let title = tokio::time::timeout(limits::LOOK, page.title(deadline)).await;
        let title = title.ok().and_then(Result::ok);
        let (mut states, mut is_known) = (Vec::new(), false);
        let timeout = Some(Millis(limits::LOOK.as_millis() as u64));
        for view in self.session.views() {
            if let Ok(seen) = view.on(self.page).current_states(timeout).await {
                is_known = true;
                states.extend(seen.current);
            }
        }
        states.dedup();
        let mut facts = self.facts();
        let before = facts.clone();
        if let Some(title) = title {
            facts.title = title;
        }
        facts.url = page.url();
        facts.states = is_known.then_some(states);
        facts.observed_at = now();
        facts.report = self.session.page_report(self.page);
        (
            before.title != facts.title || before.url != facts.url,
            before.states != facts.states || before.report != facts.report,
        )
    }
}

/// The host of an address.
fn host(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?;
    Some(host).filter(|host| !host.is_empty())
}
