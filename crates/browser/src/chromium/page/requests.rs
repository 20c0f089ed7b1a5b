//! Decides about the requests of a page and of workers, and keeps those that were stopped.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};

use chromiumoxide_cdp::cdp::browser_protocol::fetch::{DisableParams, EnableParams};
use chromiumoxide_cdp::cdp::browser_protocol::network::{
    DisableParams as DisableNetworkParams, EnableParams as EnableNetworkParams,
};
use chromiumoxide_cdp::cdp::browser_protocol::page::NavigateParams;
use chromiumoxide_cdp::cdp::js_protocol::runtime::RunIfWaitingForDebuggerParams;

use super::prepare::attached_kinds;
use super::reports::network_events;
use super::state::State;
use super::wire::WireFrame;
use super::{ChromiumPage, PageSettings, steady_worker};
use crate::cdp::{Attached, Event, EventHandler, Session, SessionEnd};
use crate::chromium::browser::auto_attach;
use crate::chromium::context::ContextShared;
use crate::chromium::network::{AuthRequired, Network, RequestPaused, record_event};
use crate::{Deadline, Error, Navigation, Refused, WhyRefused};

/// How many stopped requests are kept until a caller takes them. It bounds the memory an endless page can use.
const REFUSED_KEPT: usize = 200;
/// How many stopped navigations are remembered.
const STOPPED_KEPT: usize = 16;
/// How many openers in a row learn of a stopped request.
const OPENERS_FOLLOWED: usize = 8;

impl ChromiumPage {
    /// Which requests of a session of this page are intercepted.
    pub(super) fn interception(&self) -> Option<EnableParams> {
        if self.hidden { None } else { self.network.interception() }
    }

    /// Updates the interception of requests.
    pub(crate) async fn intercept(&self, deadline: Deadline) -> Result<(), Error> {
        match self.interception() {
            Some(command) => self.session.send(command, deadline).await.map(drop),
            None => self.session.send(DisableParams {}, deadline).await.map(drop),
        }
    }

    /// Intercepts and watches its requests as the recording of its context now asks for, in every frame.
    pub(crate) async fn follow_recording(&self, deadline: Deadline) -> Result<(), Error> {
        let homes = self.state().homes();
        for session in &homes {
            // Workers that run already were let go, so their requests are not recorded.
            session.send(attached_kinds(&self.network), deadline).await?;
            match self.interception() {
                Some(command) => session.send(command, deadline).await.map(drop)?,
                None => session.send(DisableParams {}, deadline).await.map(drop)?,
            }
            match self.watches_network() {
                true => session.send(network_events(), deadline).await.map(drop)?,
                false => session.send(DisableNetworkParams {}, deadline).await.map(drop)?,
            }
        }
        Ok(())
    }

    /// Whether the events of its requests are recorded or reported.
    pub(crate) fn watches_network(&self) -> bool {
        !self.hidden && self.network.is_watched()
    }

    /// Hands its requests over to another handler (`taken`), or takes them back.
    pub(crate) fn leave_requests(&self, taken: bool) {
        self.requests_taken.store(taken, Ordering::Relaxed);
    }

    /// Fails if the page may not show an address, before anything is sent.
    pub(super) fn refuse_if_out_of_bounds(&self, url: &str) -> Result<(), Error> {
        if self.hidden || self.requests_taken.load(Ordering::Relaxed) {
            return Ok(());
        }
        match self.out_of_bounds(url, || "the call".to_owned()) {
            None => Ok(()),
            Some(refused) => Err(Error::RequestRefused(Box::new(refused))),
        }
    }

    /// The refusal of an address that a main frame may not show.
    fn out_of_bounds(&self, url: &str, by: impl FnOnce() -> String) -> Option<Refused> {
        let confinement = self.network.confinement().filter(|confinement| !confinement.admits(url))?;
        Some(Refused {
            method: "GET".to_owned(),
            url: url.to_owned(),
            resource: "Document".to_owned(),
            is_navigation: true,
            why: WhyRefused::Confined {
                allowed: confinement.origins().map(str::to_owned).collect(),
                by: by(),
            },
        })
    }

    /// Leaves a document that the main frame may not show. That happens only if the browser showed it without a request
    /// that we could intercept: it had prefetched the document, or restored it from the back/forward cache.
    pub(super) fn leave_forbidden_document(&self, shown: &WireFrame) {
        if self.hidden || self.requests_taken.load(Ordering::Relaxed) || shown.id != self.target {
            return;
        }
        let Some(refused) = self.out_of_bounds(&shown.url, || self.describe_initiator(&shown.url)) else {
            return;
        };
        self.update(|state| state.stop(shown.loader_id.clone(), refused.clone()));
        self.note_refused(refused, OPENERS_FOLLOWED);
        self.session.send_then(NavigateParams::new("about:blank"), drop);
    }

    pub(super) fn request_paused(&self, session: &Session, event: Event<'_>) {
        if self.requests_taken.load(Ordering::Relaxed) {
            return;
        }
        let Some(paused) = event.read::<RequestPaused>() else { return };
        let is_navigation = paused.resource_type == "Document"
            && session.is_same(&self.session)
            && paused.frame_id == self.state().main.as_str();
        self.decide(session, paused, is_navigation);
    }

    /// Answers a server that asks for authentication.
    pub(super) fn auth_required(&self, session: &Session, event: Event<'_>) {
        if let Some(asked) = event.read::<AuthRequired>() {
            self.network.authenticate(session, &asked);
        }
    }

    /// Decides about a document of the main frame that waits at the checkpoint.
    pub(crate) fn document_paused(&self, browser: &Session, paused: RequestPaused) {
        // The driver's own pages, and pages that are filled with a storage state, show empty documents of any origin.
        let is_navigation = !self.hidden && !self.requests_taken.load(Ordering::Relaxed);
        self.decide(browser, paused, is_navigation);
    }

    fn decide(&self, session: &Session, paused: RequestPaused, is_navigation: bool) {
        let by = is_navigation.then(|| match &paused.redirected_request_id {
            Some(_) => format!("a redirect on the way from {}", self.address()),
            None => self.describe_initiator(&paused.request.url),
        });
        let Some(why) = self.network.decide(session, &paused, by.as_deref()) else { return };
        let refused = Refused {
            method: paused.request.method,
            url: paused.request.url,
            resource: paused.resource_type,
            is_navigation,
            why,
        };
        if is_navigation {
            self.update(|state| state.stop_underway(refused.clone()));
        }
        self.note_refused(refused, OPENERS_FOLLOWED);
    }

    /// Notes the refusal of a popup as soon as the page calls `window.open`, before the popup exists.
    pub(super) fn check_window_open(&self, url: &str) {
        let by = || format!("a page that was opened by {}", self.address());
        let Some(refused) = self.out_of_bounds(url, by) else { return };
        self.update(|state| {
            if state.refused_popups.len() < STOPPED_KEPT {
                state.refused_popups.push(url.to_owned());
            }
        });
        self.note_refused(refused, OPENERS_FOLLOWED);
    }

    /// Keeps a stopped request for callers of this page, and of the pages that opened it.
    fn note_refused(&self, refused: Refused, openers: usize) {
        let opener = self.opener().zip(self.context.upgrade()).and_then(|(id, context)| context.page(id));
        if let Some(opener) = opener.filter(|_| openers > 0) {
            let already_noted = opener.update(|state| {
                let at = state.refused_popups.iter().position(|url| *url == refused.url);
                at.map(|at| state.refused_popups.remove(at)).is_some()
            });
            if !already_noted {
                opener.note_refused(refused.clone(), openers - 1);
            }
        }
        self.update(|state| state.keep_refused(refused));
    }

    /// Stops the pending navigation of this page if a service worker was refused the same address: the worker answers in
    /// place of the network, and has nothing to answer with. False if the page is not navigating there.
    pub(crate) fn is_stopped_by_worker(&self, refused: &Refused) -> bool {
        let going =
            self.navigating_to().is_some_and(|url| url.split('#').next() == Some(refused.url.as_str()));
        if going {
            let resource = "Document".to_owned();
            let refused = Refused { is_navigation: true, resource, ..refused.clone() };
            self.update(|state| state.stop_underway(refused.clone()));
            self.note_refused(refused, OPENERS_FOLLOWED);
        }
        going
    }

    /// Keeps a stopped request of a worker that may serve this page.
    pub(crate) fn note_refused_worker(&self, refused: &Refused) {
        self.note_refused(refused.clone(), 0);
    }

    /// The address of the main frame, for messages.
    fn address(&self) -> String {
        let url = self.state().main_frame().map(|frame| frame.url.clone());
        url.filter(|url| !url.is_empty()).unwrap_or_else(|| "about:blank".to_owned())
    }

    /// Describes what navigates the main frame to an address.
    fn describe_initiator(&self, url: &str) -> String {
        let reason = self
            .state()
            .requested
            .as_ref()
            .filter(|known| known.url == url)
            .map(|known| known.reason.clone());
        let what = match reason.as_deref() {
            Some("anchorClick") => "a link",
            Some("formSubmissionGet" | "formSubmissionPost") => "a form",
            Some("metaTagRefresh" | "httpHeaderRefresh") => "a refresh",
            Some("scriptInitiated") => "a script",
            Some("reload") => "a reload",
            _ if self.opener.is_some() => "a page that was opened",
            _ => "a navigation",
        };
        format!("{what} of {}", self.address())
    }

    pub(super) fn record_network_event(&self, event: Event<'_>) {
        if let Some(recorder) = self.network.recorder() {
            record_event(&recorder, event);
        }
    }
}

impl State {
    /// Keeps a stopped request until a caller takes it. When the list is full, a navigation replaces another request:
    /// callers must learn of stopped navigations.
    fn keep_refused(&mut self, refused: Refused) {
        if self.refused.len() == REFUSED_KEPT {
            let replaceable = self.refused.iter().position(|known| !known.is_navigation);
            let Some(at) = replaceable.filter(|_| refused.is_navigation) else { return };
            self.refused.remove(at);
        }
        self.refused.push(refused);
    }

    /// Marks the pending navigation as stopped. Its start was reported before its first request.
    fn stop_underway(&mut self, refused: Refused) {
        self.turned_back = Some((self.next(), refused.clone()));
        let underway = self.main_frame().and_then(|frame| frame.underway.as_ref());
        if let Some(loader) = underway.map(|underway| underway.loader.clone()) {
            self.stop(loader, refused);
        }
    }

    fn stop(&mut self, loader: String, refused: Refused) {
        if self.stopped.len() == STOPPED_KEPT {
            self.stopped.pop_front();
        }
        self.stopped.push_back((loader, refused));
    }

    /// The error of a page that tried to leave after a moment. A document that leaves while it loads is not loaded to its
    /// end.
    pub(super) fn turned_back_since(&self, moment: u64) -> Option<Error> {
        let (at, refused) = self.turned_back.as_ref()?;
        (*at > moment).then(|| Error::RequestRefused(Box::new(refused.clone())))
    }

    /// The error of a stopped navigation.
    pub(super) fn stopped_by(&self, loader: &str) -> Option<Error> {
        let (_, refused) = self.stopped.iter().rev().find(|(known, _)| known == loader)?;
        Some(Error::RequestRefused(Box::new(refused.clone())))
    }
}

/// Handles the requests of a worker that belongs to no page.
pub(crate) struct WorkerRequests {
    network: Arc<Network>,
    settings: Arc<PageSettings>,
    context: Weak<ContextShared>,
}

impl WorkerRequests {
    /// Handles the events of a worker from its start.
    pub(crate) fn follow(
        session: &Session,
        network: &Arc<Network>,
        settings: &Arc<PageSettings>,
        context: Weak<ContextShared>,
    ) {
        let handler = Self { network: network.clone(), settings: settings.clone(), context };
        session.set_handler(Arc::new(handler));
        Self::prepare(session, network, settings.steady.is_some());
    }

    /// Intercepts the requests of a worker before its first script runs.
    pub(super) fn prepare(session: &Session, network: &Network, is_steady: bool) {
        // A worker whose requests belong to its page refuses these commands; that is fine.
        if let Some(interception) = network.interception() {
            session.send_then(interception, drop);
        }
        if network.recorder().is_some() {
            session.send_then(EnableNetworkParams::default(), drop);
        }
        session.send_then(auto_attach(&["worker"]), drop);
        if is_steady {
            steady_worker::prepare(session);
        }
        session.send_then(RunIfWaitingForDebuggerParams {}, drop);
    }

    fn request_paused(&self, session: &Session, paused: RequestPaused) {
        let Some(why) = self.network.decide(session, &paused, None) else { return };
        let Some(context) = self.context.upgrade() else { return };
        context.worker_was_refused(&Refused {
            method: paused.request.method,
            url: paused.request.url,
            resource: paused.resource_type,
            is_navigation: false,
            why,
        });
    }
}

impl EventHandler for WorkerRequests {
    fn on_event(&self, session: &Session, event: Event<'_>) {
        if let (steady_worker::PAUSED, Some(script)) = (event.method, &self.settings.steady) {
            return steady_worker::paused(session, script);
        }
        if event.method == "Fetch.authRequired" {
            if let Some(asked) = event.read::<AuthRequired>() {
                self.network.authenticate(session, &asked);
            }
            return;
        }
        if event.method != "Fetch.requestPaused" {
            if let Some(recorder) = self.network.recorder() {
                record_event(&recorder, event);
            }
            return;
        }
        if let Some(paused) = event.read::<RequestPaused>() {
            self.request_paused(session, paused);
        }
    }

    fn on_attached(&self, _parent: &Session, attached: Attached) {
        Self::follow(&attached.session, &self.network, &self.settings, self.context.clone());
    }

    fn on_end(&self, _session: &Session, _end: &SessionEnd) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FrameId;

    #[test]
    fn a_stopped_navigation_is_kept_however_much_else_was_stopped_before() {
        let mut state = State::new(FrameId::new("main"));
        let refused = |number: usize, is_navigation: bool| Refused {
            method: "GET".to_owned(),
            url: format!("https://a.example/{number}"),
            resource: "Other".to_owned(),
            is_navigation,
            why: WhyRefused::Confined { allowed: Vec::new(), by: "the page".to_owned() },
        };
        for number in 0..REFUSED_KEPT + 10 {
            state.keep_refused(refused(number, false));
        }
        state.keep_refused(refused(1_000, true));
        state.keep_refused(refused(1_001, false));
        assert_eq!(state.refused.len(), REFUSED_KEPT);
        assert_eq!(state.refused[0].url, "https://a.example/1");
        assert_eq!(state.refused[REFUSED_KEPT - 1], refused(1_000, true));
        for number in 0..2 * REFUSED_KEPT {
            state.keep_refused(refused(number, true));
        }
        assert_eq!(state.refused.len(), REFUSED_KEPT);
    }
}
