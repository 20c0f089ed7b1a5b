//! A page of Chromium: state that follows the protocol events, and the commands that act on the page.
//!
//! Each trait of the port [`Page`](crate::Page) is implemented in the file that does the work: `lifecycle.rs`,
//! `frames.rs`, `navigate.rs`, `scripting.rs`, `element.rs`, `input.rs`, `dialog.rs`, `catch_up.rs` (requests) and
//! `screenshot.rs`. `events.rs` feeds `state.rs`; `wait.rs` waits for changes of it.

mod accessibility;
mod announced;
mod asked;
mod call;
mod catch_up;
mod clipboard;
mod describe_node;
mod dialog;
mod drag;
mod element;
mod events;
mod frames;
mod geometry;
mod hear;
mod history;
mod input;
mod lifecycle;
mod navigate;
mod prepare;
mod refusal;
mod reports;
mod requests;
mod runtime;
mod screenshot;
mod scripting;
mod shadow;
mod state;
mod steady_worker;
mod wait;
mod web_mcp;
mod wire;
mod world;

use std::collections::VecDeque;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use futures_util::future::BoxFuture;
use tokio::sync::{broadcast, watch};

pub(crate) use self::prepare::PageSettings;
pub(crate) use self::reports::network_events;
pub(crate) use self::requests::WorkerRequests;
use self::state::State;
use super::context::ContextShared;
use super::network::Network;
use crate::cdp::{Session, Target};
use crate::{Clock, Error, FrameId, PageEvent};

/// How many events a subscriber may fall behind before it misses some.
const EVENTS_KEPT: usize = 1024;

/// A page of Chromium.
pub struct ChromiumPage {
    this: Weak<ChromiumPage>,
    target: String,
    session: Session,
    settings: Arc<PageSettings>,
    context: Weak<ContextShared>,
    network: Arc<Network>,
    /// Whether `storage::blank_page` answers its requests for the moment.
    requests_taken: AtomicBool,
    /// Whether the page is internal: callers never see it.
    hidden: bool,
    /// The target of the page that opened it.
    opener: Option<String>,
    state: Mutex<State>,
    /// Changes with every update of the state.
    changed: watch::Sender<u64>,
    events: broadcast::Sender<PageEvent>,
    mouse: Mutex<input::Mouse>,
    /// What its live regions said.
    announced: announced::Announced,
    /// Input whose caller has stopped waiting.
    abandoned: Mutex<Vec<BoxFuture<'static, ()>>>,
    /// What it was asked to report of itself.
    hearing: hear::Hearing,
    given: asked::Given,
    /// Abandoned input that is still being drained.
    draining: tokio::sync::Mutex<VecDeque<BoxFuture<'static, ()>>>,
}

impl ChromiumPage {
    /// Creates the page of a target that was just attached. The page handles the events of the session from now on.
    pub(crate) fn attach(
        session: Session,
        target: &Target,
        settings: Arc<PageSettings>,
        context: &Arc<ContextShared>,
        hidden: bool,
    ) -> Arc<Self> {
        let page = Arc::new_cyclic(|this| Self {
            this: this.clone(),
            target: target.id.clone(),
            session: session.clone(),
            settings,
            context: Arc::downgrade(context),
            network: context.network().clone(),
            requests_taken: AtomicBool::new(false),
            hidden,
            opener: target.opener_id.clone(),
            // A page's main frame has the same id as its target.
            state: Mutex::new(State::new(FrameId::new(target.id.as_str()))),
            changed: watch::Sender::new(0),
            events: broadcast::Sender::new(EVENTS_KEPT),
            mouse: Mutex::default(),
            announced: announced::Announced::default(),
            abandoned: Mutex::default(),
            hearing: hear::Hearing::default(),
            given: asked::Given::default(),
            draining: tokio::sync::Mutex::default(),
        });
        session.set_handler(page.clone());
        page.prepare(&session);
        page
    }

    /// The protocol session of the page's main frame, for commands that the port does not offer.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The session of the process that a frame currently lives in.
    pub fn frame_session(&self, frame: &FrameId) -> Option<Session> {
        self.state().frame(frame).and_then(|frame| frame.home.clone())
    }

    pub(crate) fn target(&self) -> &str {
        &self.target
    }

    pub(crate) fn opener(&self) -> Option<&str> {
        self.opener.as_deref()
    }

    pub(crate) fn is_hidden(&self) -> bool {
        self.hidden
    }

    fn clock(&self) -> &Arc<dyn Clock> {
        self.session.connection().clock()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the state and wakes every waiter.
    fn update<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let result = change(&mut self.state());
        self.changed.send_modify(|version| *version = version.wrapping_add(1));
        result
    }

    fn emit(&self, event: PageEvent) {
        // There may be no subscriber.
        let _ = self.events.send(event);
    }

    /// Fails if the page is closed or crashed, or a dialog is open.
    fn refuse_if_blocked(&self) -> Result<(), Error> {
        let state = self.state();
        if let Some(error) = &state.ended {
            return Err(error.clone());
        }
        if state.crashed {
            return Err(Error::PageCrashed);
        }
        match &state.dialog {
            Some(dialog) => Err(Error::DialogOpen(dialog.clone())),
            None => Ok(()),
        }
    }

    fn refuse_if_crashed(&self, frame: &FrameId) -> Result<(), Error> {
        let state = self.state();
        if state.crashed {
            return Err(Error::PageCrashed);
        }
        match state.frame(frame) {
            Some(known) if known.crashed => Err(Error::FrameCrashed { frame: frame.clone() }),
            Some(_) | None => Ok(()),
        }
    }

    pub(crate) fn is_ready(&self) -> bool {
        self.state().ready
    }

    /// The error that made the page unusable while it was prepared.
    pub(crate) fn unprepared(&self) -> Option<Error> {
        self.state().unprepared.clone()
    }

    pub(crate) fn ending(&self) -> Option<Error> {
        self.state().ended.clone()
    }
}
