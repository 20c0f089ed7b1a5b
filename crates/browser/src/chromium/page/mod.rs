//! A page of Chromium: a model that follows the events of the wire, and the commands that act on it.
//!
//! One file per thing a page can do; `port.rs` shows them all as the port [`Page`](crate::Page).

mod call;
mod close;
mod describe_node;
mod dialog;
mod drag;
mod element;
mod evaluate;
mod events;
mod files;
mod geometry;
mod history;
mod input;
mod navigate;
mod port;
mod prepare;
mod refusal;
mod requests;
mod runtime;
mod screenshot;
mod shadow;
mod state;
mod told;
mod wait;
mod wire;
mod world;

use std::collections::VecDeque;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use futures_util::future::BoxFuture;
use tokio::sync::{broadcast, watch};

pub(crate) use self::prepare::PageSettings;
pub(crate) use self::requests::WorkerRequests;
use self::state::State;
use super::context::ContextShared;
use super::network::Network;
use crate::cdp::{Session, Target};
use crate::{Clock, Error, FrameId, PageEvent};

/// How many events a listener may be behind.
const EVENTS_KEPT: usize = 1024;

/// A page of Chromium.
pub struct ChromiumPage {
    this: Weak<ChromiumPage>,
    target: String,
    session: Session,
    settings: Arc<PageSettings>,
    context: Weak<ContextShared>,
    network: Arc<Network>,
    /// Whether somebody else answers its requests for the moment.
    requests_taken: AtomicBool,
    /// Whether the page is for our own use.
    hidden: bool,
    /// The target of the page that opened it.
    opener: Option<String>,
    state: Mutex<State>,
    /// Changes whenever the state does.
    changed: watch::Sender<u64>,
    events: broadcast::Sender<PageEvent>,
    mouse: Mutex<input::Mouse>,
    /// Input that was sent by somebody who did not wait for the page to take it.
    untaken: Mutex<Vec<BoxFuture<'static, ()>>>,
    /// What of it somebody waits for.
    taking: tokio::sync::Mutex<VecDeque<BoxFuture<'static, ()>>>,
}

impl ChromiumPage {
    /// The page of a target that was just attached; it follows the session from now on.
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
            // A page's main frame bears the id of its target.
            state: Mutex::new(State::new(FrameId::new(target.id.as_str()))),
            changed: watch::Sender::new(0),
            events: broadcast::Sender::new(EVENTS_KEPT),
            mouse: Mutex::default(),
            untaken: Mutex::default(),
            taking: tokio::sync::Mutex::default(),
        });
        session.set_handler(page.clone());
        page.prepare(&session);
        page
    }

    /// The protocol session of the page's main frame, for what the port does not offer.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The session of the process a frame lives in now.
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

    /// Changes the state and wakes everyone who waits for a change.
    fn update<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let result = change(&mut self.state());
        self.changed.send_modify(|version| *version = version.wrapping_add(1));
        result
    }

    fn tell(&self, event: PageEvent) {
        // Nobody may be listening.
        let _ = self.events.send(event);
    }

    /// Refuses at once what cannot work now.
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

    /// Why the page could not be prepared.
    pub(crate) fn unprepared(&self) -> Option<Error> {
        self.state().unprepared.clone()
    }

    pub(crate) fn ending(&self) -> Option<Error> {
        self.state().ended.clone()
    }
}
