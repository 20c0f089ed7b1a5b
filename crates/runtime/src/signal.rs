//! What a page says by itself: declared signals, checked and counted, and where its attachments stand.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use actions_engine::browser::{Clock, DetailFault, HeardEvent, PageSignal};
use actions_engine::{CallError, CallId, ErrorCode, Millis, PageId, Session, SignalPlan, Timestamp};
use serde_json::{Value, json};
use tokio::sync::{Notify, SetOnce};

use crate::event::RuntimeEvent;
use crate::heard_signal::{HeardSignal, PageReport};

/// How long after a call ended a signal may still have been caused by it.
const AFTERMATH: Duration = Duration::from_secs(5);

/// How long a page may take to place attachments and to say where they stand.
const PLACING: Millis = Millis(3_000);

/// How many signals of other events are told apart per page.
const MOST_EVENTS: usize = 200;

/// What the pages of a session said, and which calls ran on them.
#[derive(Default)]
pub(crate) struct Reports {
    pages: Mutex<HashMap<PageId, PageNotes>>,
}

#[derive(Default)]
struct PageNotes {
    report: PageReport,
    last_call: Option<LastCall>,
    /// Asks for another look at what the page should report and show.
    nudge: Arc<Notify>,
    /// Whether the page was ever asked to report or show something.
    is_attended: bool,
    /// Set once the page was asked for the first time, so that calls begin after that.
    ready: Arc<SetOnce<()>>,
}

struct LastCall {
    call_id: CallId,
    ended: Option<std::time::Instant>,
}

impl Reports {
    fn pages(&self) -> MutexGuard<'_, HashMap<PageId, PageNotes>> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn of(&self, page: PageId) -> PageReport {
        self.pages().get(&page).map(|notes| notes.report.clone()).unwrap_or_default()
    }

    /// Forgets a page that has closed.
    pub(crate) fn forget(&self, page: PageId) {
        self.pages().remove(&page);
    }

    /// Waits until a page was asked for the first time to report and show what its maps declare. A page that does not answer
    /// is waited for no longer than that question may take.
    pub(crate) async fn until_ready(&self, page: PageId, clock: &dyn Clock, limit: Option<Millis>) {
        let longest = Millis(2 * PLACING.0);
        let limit = limit.map_or(longest, |limit| limit.min(longest));
        let ready = Arc::clone(&self.pages().entry(page).or_default().ready);
        tokio::select! {
            _ = ready.wait() => {}
            () = clock.sleep_until(clock.now() + Duration::from_millis(limit.0)) => {}
        }
    }

    /// Asks for another look at a page.
    pub(crate) fn nudge(&self, page: PageId) {
        if let Some(notes) = self.pages().get(&page) {
            notes.nudge.notify_one();
        }
    }

    /// Asks for another look at every page.
    pub(crate) fn nudge_all(&self) {
        self.pages().values().for_each(|notes| notes.nudge.notify_one());
    }

    pub(crate) fn call_runs(&self, page: PageId, call_id: &CallId) {
        let mut pages = self.pages();
        let notes = pages.entry(page).or_default();
        if notes.last_call.as_ref().is_none_or(|last| last.call_id != *call_id) {
            notes.last_call = Some(LastCall { call_id: call_id.clone(), ended: None });
        }
    }

    pub(crate) fn call_ended(&self, page: PageId, call_id: &CallId) {
        if let Some(last) = self.pages().get_mut(&page).and_then(|notes| notes.last_call.as_mut())
            && last.call_id == *call_id
        {
            last.ended = Some(std::time::Instant::now());
        }
    }

    fn cause(&self, page: PageId) -> Option<CallId> {
        let pages = self.pages();
        let last = pages.get(&page)?.last_call.as_ref()?;
        let is_recent = last.ended.is_none_or(|ended| ended.elapsed() < AFTERMATH);
        is_recent.then(|| last.call_id.clone())
    }

    /// Counts events that were dropped because there were too many.
    fn count_dropped(&self, page: PageId, count: u64) {
        let mut pages = self.pages();
        let dropped = &mut pages.entry(page).or_default().report.dropped;
        *dropped = dropped.saturating_add(count);
    }

    /// Counts a signal. Returns whether it is the first of its name that was rejected.
    fn count(&self, page: PageId, name: &str, is_accepted: bool) -> bool {
        let mut pages = self.pages();
        let counts = pages.entry(page).or_default().report.signals.entry(name.to_owned()).or_default();
        match is_accepted {
            true => counts.heard += 1,
            false => counts.rejected += 1,
        }
        !is_accepted && counts.rejected == 1
    }
}

/// Checks what a page said against the maps of its session. Returns what clients should hear.
pub(crate) fn received(
    reports: &Reports,
    session: &str,
    views: &[Session],
    page: PageId,
    signal: &PageSignal,
    observed_at: Timestamp,
) -> Vec<RuntimeEvent> {
    let (event, detail) = match signal {
        PageSignal::Event { event, detail, dropped } => {
            reports.count_dropped(page, *dropped);
            (event, detail.clone())
        }
        PageSignal::Dropped { count } => {
            reports.count_dropped(page, *count);
            return vec![RuntimeEvent::SignalsDropped { session: session.to_owned(), page, count: *count }];
        }
        PageSignal::Attachment { id, what } if what == "activated" => {
            let payload = json!({ "launcher_id": id, "attachment_id": id, "what": what });
            (id, Ok(payload.to_string()))
        }
        _ => return Vec::new(),
    };
    let mut events = Vec::new();
    for view in views {
        for plan in declared(view, signal) {
            let checked =
                payload_of(plan, &detail).and_then(|payload| plan.accept(&payload).map(|()| payload));
            let is_first_fault = reports.count(page, &plan.name, checked.is_ok());
            match checked {
                Ok(payload) => {
                    let on_page = view.on(page);
                    on_page.signal_received(&plan.name);
                    let signal = HeardSignal {
                        name: plan.name.clone(),
                        event: event.clone(),
                        payload,
                        url: on_page.page().url(),
                        previous_call_id: reports.cause(page),
                        observed_at: observed_at.clone(),
                    };
                    events.push(RuntimeEvent::Signal {
                        session: session.to_owned(),
                        page,
                        signal: Box::new(signal),
                    });
                }
                Err(error) if is_first_fault => events.push(RuntimeEvent::SignalRejected {
                    session: session.to_owned(),
                    page,
                    name: plan.name.clone(),
                    error: Box::new(error),
                }),
                Err(_) => {}
            }
        }
    }
    events
}

/// The signals of a map that a report of the page is.
fn declared<'v>(view: &'v Session, signal: &PageSignal) -> Vec<&'v SignalPlan> {
    let plans = view.signals().iter();
    match signal {
        PageSignal::Event { event, .. } => plans.filter(|plan| plan.event == *event).collect(),
        PageSignal::Attachment { id, .. } => {
            let attachment = view.attachments().iter().find(|plan| plan.id == *id);
            plans.filter(|plan| attachment.is_some_and(|one| one.signals.contains(&plan.name))).collect()
        }
        _ => Vec::new(),
    }
}

fn payload_of(plan: &SignalPlan, detail: &Result<String, DetailFault>) -> Result<Value, CallError> {
    let refused = |code, why: &str| {
        Err(CallError::new(code, format!("the payload of the signal `{}` {why}", plan.name)))
    };
    match detail {
        Ok(text) => match serde_json::from_str(text) {
            Ok(payload) => Ok(payload),
            Err(_) => refused(ErrorCode::InvalidResult, "is no JSON"),
        },
        Err(DetailFault::TooLarge(_)) => refused(ErrorCode::PayloadTooLarge, "is too large"),
        Err(_) => refused(ErrorCode::InvalidResult, "cannot be written as JSON"),
    }
}

/// Makes a page report what its maps declare and show their attachments, whenever that may have changed. Ends with the page.
pub(crate) async fn attend(
    reports: Arc<Reports>,
    page: PageId,
    views: impl Fn() -> Option<Vec<Session>>,
    changed: impl Fn(),
) {
    let (nudge, ready) = {
        let mut pages = reports.pages();
        let notes = pages.entry(page).or_default();
        (Arc::clone(&notes.nudge), Arc::clone(&notes.ready))
    };
    loop {
        let Some(views) = views() else { return };
        let Some(first) = views.first().map(|view| view.on(page)) else { return };
        let on_page: Vec<Session> = views.iter().map(|view| view.on(page)).collect();
        let heard = events_of(&views);
        let has_attachments = views.iter().any(|view| !view.attachments().is_empty());
        let was_attended = reports.pages().get(&page).is_some_and(|notes| notes.is_attended);
        if !heard.is_empty() || has_attachments || was_attended {
            if let Some(notes) = reports.pages().get_mut(&page) {
                notes.is_attended = true;
            }
            // A page that has closed, or does not answer, is looked at again when it changes.
            if let Err(error) = first.hear(&heard, Some(PLACING)).await {
                tracing::debug!("the signals of page {page} cannot be heard: {error}");
            }
            if let Ok(standing) = first.sync_attachments(&on_page, Some(PLACING)).await {
                let is_news = {
                    let mut pages = reports.pages();
                    pages.get_mut(&page).is_some_and(|notes| {
                        let is_news = notes.report.attachments != standing;
                        notes.report.attachments = standing;
                        is_news
                    })
                };
                if is_news {
                    changed();
                }
            }
        }
        drop((views, on_page, first));
        // It may have been set by an earlier look.
        let _ = ready.set(());
        nudge.notified().await;
    }
}

/// Whether a map declares something that pages report or show.
pub(crate) fn is_asked(view: &Session) -> bool {
    !view.signals().is_empty() || !view.attachments().is_empty()
}

/// The events that the enabled signals of maps name, each once.
fn events_of(views: &[Session]) -> Vec<HeardEvent> {
    let mut heard: Vec<HeardEvent> = Vec::new();
    for plan in views.iter().flat_map(Session::signals) {
        let one = HeardEvent { event: plan.event.clone(), selectors: plan.selectors.clone() };
        let known = heard.iter().position(|known| known.event == one.event);
        let Some(at) = known else {
            if heard.len() < MOST_EVENTS {
                heard.push(one);
            }
            continue;
        };
        // Any source will do if one signal asks for none.
        match heard[at].selectors.is_empty() || one.selectors.is_empty() {
            true => heard[at].selectors.clear(),
            false => heard[at].selectors.extend(one.selectors),
        }
    }
    heard
}
