//! The bridge in the pages of its session: `window.AICommands` and `window.__wab_bidi`, for scripts and drivers of the same
//! browser.
//!
//! The page gets a function by which it asks, and the bridge answers by calling a function of the page. Messages are JSON; no
//! part of them becomes source text.

use std::sync::Arc;
use std::time::Duration;

use actions_engine::CancellationToken;
use actions_engine::browser::{Deadline, Offer, Page, PageEvent, SystemClock, origin_of};
use actions_runtime::{Runtime, RuntimeEvent};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::broadcast::error::RecvError;
use tokio::task::JoinSet;

use crate::bridge::Bridge;
use crate::caller::Caller;
use crate::dispatch::refused;
use crate::message::Command;
use crate::methods::VERSION;

/// The function by which pages ask.
const BINDING: &str = "__wab_ask";
/// The function by which they are answered.
const ANSWER: &str = "__wab_answer";
/// The script that is put into pages.
const SCRIPT: &str = include_str!("js/page_global.js");
/// How long a page may take to receive something.
const GIVING: Duration = Duration::from_secs(10);
/// How many commands of one page may run at once.
const AT_ONCE: usize = 16;

/// What a page asks.
#[derive(Deserialize)]
struct Asked {
    key: u64,
    line: String,
    command: Value,
}

/// Puts the bridge into the pages of its session, those that open later too, until `stop` is cancelled.
pub async fn serve(bridge: &Bridge, runtime: &Runtime, stop: &CancellationToken) {
    let mut events = runtime.events();
    let mut pages: JoinSet<()> = JoinSet::new();
    let mut known = Vec::new();
    loop {
        for page in bridge.shared.session.pages() {
            if !known.contains(&page.id) {
                known.push(page.id);
                pages.spawn(serve_page(bridge.clone(), Arc::clone(&page.page), stop.clone()));
            }
        }
        let open: Vec<_> = bridge.shared.session.pages().into_iter().map(|page| page.id).collect();
        known.retain(|id| open.contains(id));
        tokio::select! {
            () = stop.cancelled() => break,
            Some(_) = pages.join_next() => {}
            event = events.recv() => match event {
                Ok(RuntimeEvent::PageOpened { .. } | RuntimeEvent::PageClosed { .. }) | Err(RecvError::Lagged(_)) => {}
                Ok(RuntimeEvent::SessionEnded { session, .. }) if session == bridge.shared.session.name() => break,
                Ok(_) => {}
                Err(RecvError::Closed) => break,
            },
        }
    }
    pages.shutdown().await;
}

/// Puts the bridge into a page and answers what the page asks.
async fn serve_page(bridge: Bridge, page: Arc<dyn Page>, stop: CancellationToken) {
    let mut events = page.events();
    let timeout = bridge.shared.options.timeout + Duration::from_secs(5);
    let offer = Offer {
        script: SCRIPT,
        binding: BINDING,
        config: json!({
            "binding": BINDING, "answer": ANSWER, "version": VERSION,
            "timeout_ms": u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX),
        }),
    };
    if let Err(error) = page.offer(offer, Deadline::after(&SystemClock, GIVING)).await {
        tracing::warn!("a page has no bridge of its own: {error}");
        return;
    }
    let mut pushed = bridge.shared.events.subscribe();
    let mut wanted: Vec<String> = Vec::new();
    let mut session: Option<[u8; 32]> = None;
    let mut running: JoinSet<Heard> = JoinSet::new();
    loop {
        tokio::select! {
            () = stop.cancelled() => break,
            Some(heard) = running.join_next() => {
                let Ok(heard) = heard else { continue };
                wanted.extend(heard.subscribed);
                wanted.sort();
                wanted.dedup();
                session = heard.session.or(session);
            }
            happened = pushed.recv() => {
                let Ok(happened) = happened else { continue };
                let is_for_it = happened.only.is_none_or(|only| session == Some(only));
                if is_for_it && wanted.contains(&happened.event) {
                    give(&*page, &Value::Null, &happened.message()).await;
                }
            }
            event = events.recv(), if running.len() < AT_ONCE => match event {
                Ok(PageEvent::Asked { binding, payload }) if binding == BINDING => {
                    let Ok(asked) = serde_json::from_str::<Asked>(&payload) else { continue };
                    running.spawn(answer(bridge.clone(), Arc::clone(&page), asked));
                }
                // What subscribed is gone with its document.
                Ok(PageEvent::Navigated(to)) if !to.same_document && to.frame == page.main_frame() => {
                    (wanted, session) = (Vec::new(), None);
                }
                Ok(PageEvent::Closed) | Err(RecvError::Closed) => break,
                Ok(_) | Err(RecvError::Lagged(_)) => {}
            },
        }
    }
    running.shutdown().await;
}

/// What a command of a page has come to.
struct Heard {
    subscribed: Vec<String>,
    session: Option<[u8; 32]>,
}

async fn answer(bridge: Bridge, page: Arc<dyn Page>, asked: Asked) -> Heard {
    // The address of the page is asked of the browser, because the page could say anything.
    let origin = origin_of(&page.url()).unwrap_or_else(|| "null".to_owned());
    let caller = Caller {
        holder: "page".to_owned(),
        origin: Some(origin),
        line: Some(format!("page {}", asked.line.chars().take(64).collect::<String>())),
        ..Caller::default()
    };
    let (message, heard) = match Command::parse(&asked.command.to_string()) {
        Err((id, fault)) => (refused(&id, fault).message, Heard { subscribed: Vec::new(), session: None }),
        Ok(command) => {
            let done = Box::pin(bridge.answer(&caller, command)).await;
            let session = done.session.map(|known| known.id);
            (done.reply.message, Heard { subscribed: done.subscribed, session })
        }
    };
    give(&*page, &json!(asked.key), &message).await;
    heard
}

/// Gives a message to the page. A page that went to another document does not wait for it any more.
async fn give(page: &dyn Page, key: &Value, message: &Value) {
    let deadline = Deadline::after(&SystemClock, GIVING);
    let given = page.call_page_function(ANSWER, &[key.clone(), message.clone()], deadline).await;
    if let Err(error) = given {
        tracing::debug!("a page did not take an answer: {error}");
    }
}
