//! Requests of a page that wait for us.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};

use chromiumoxide_cdp::cdp::browser_protocol::fetch::{DisableParams, EnableParams};
use chromiumoxide_cdp::cdp::browser_protocol::network::EnableParams as EnableNetworkParams;
use chromiumoxide_cdp::cdp::browser_protocol::page::NavigateParams;
use chromiumoxide_cdp::cdp::js_protocol::runtime::RunIfWaitingForDebuggerParams;

use super::ChromiumPage;
use super::state::State;
use super::wire::WireFrame;
use crate::cdp::{Attached, Event, EventHandler, Fate, Session};
use crate::chromium::browser::auto_attach;
use crate::chromium::context::ContextShared;
use crate::chromium::network::{Network, RequestPaused, hear};
use crate::{Deadline, Error, Refused, WhyRefused};

/// How many stopped requests wait to be asked about; a page that never tires must not fill our memory.
const REFUSED_KEPT: usize = 200;
/// How many stopped navigations are remembered.
const STOPPED_KEPT: usize = 16;
/// How many pages that open pages are followed back.
const OPENERS_FOLLOWED: usize = 8;

impl ChromiumPage {
    /// Which requests of a session of this page wait for us.
    pub(super) fn interception(&self, is_page: bool) -> Option<EnableParams> {
        if self.hidden { None } else { self.network.interception(is_page) }
    }

    /// Has requests wait for us from now on.
    pub(crate) async fn intercept(&self, deadline: Deadline) -> Result<(), Error> {
        match self.interception(true) {
            Some(command) => self.session.send(command, deadline).await.map(drop),
            None => self.session.send(DisableParams {}, deadline).await.map(drop),
        }
    }

    /// Whether somebody records what it asks for, and so must hear of its network.
    pub(crate) fn is_recorded(&self) -> bool {
        self.network.recorder().is_some() && !self.hidden
    }

    /// Leaves its requests to somebody else, or takes them back.
    pub(crate) fn leave_requests(&self, taken: bool) {
        self.requests_taken.store(taken, Ordering::Relaxed);
    }

    /// Whether it may not go everywhere.
    pub(super) fn is_confined(&self) -> bool {
        !self.hidden && self.network.confinement().is_some()
    }

    /// Refuses to go where the page may not be before anything is sent.
    pub(super) fn refuse_if_out_of_bounds(&self, url: &str) -> Result<(), Error> {
        if self.hidden || self.requests_taken.load(Ordering::Relaxed) {
            return Ok(());
        }
        match self.out_of_bounds(url, || "the call".to_owned()) {
            None => Ok(()),
            Some(refused) => Err(Error::RequestRefused(Box::new(refused))),
        }
    }

    /// The refusal of an address at which a main frame may not be.
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

    /// Leaves a document at once that the main frame may not show. It comes to that only where a browser shows one
    /// without a request that could wait for us: one it had fetched ahead, or kept from before.
    pub(super) fn refuse_to_stay(&self, shown: &WireFrame) {
        if self.hidden || self.requests_taken.load(Ordering::Relaxed) || shown.id != self.target {
            return;
        }
        let Some(refused) = self.out_of_bounds(&shown.url, || self.who_navigates(&shown.url)) else { return };
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
        let by = is_navigation.then(|| match &paused.redirected_request_id {
            Some(_) => format!("a redirect on the way from {}", self.here()),
            None => self.who_navigates(&paused.request.url),
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

    /// A page is about to be opened at an address; if it may not be there, that is known before it is opened.
    pub(super) fn foresee(&self, url: &str) {
        let by = || format!("a page that was opened by {}", self.here());
        let Some(refused) = self.out_of_bounds(url, by) else { return };
        self.update(|state| {
            if state.foreseen.len() < STOPPED_KEPT {
                state.foreseen.push(url.to_owned());
            }
        });
        self.note_refused(refused, OPENERS_FOLLOWED);
    }

    /// Tells of a request to whoever asks this page, or the page that opened it.
    fn note_refused(&self, refused: Refused, openers: usize) {
        let opener = self.opener().zip(self.context.upgrade()).and_then(|(id, context)| context.page(id));
        if let Some(opener) = opener.filter(|_| openers > 0) {
            let foreseen = opener.update(|state| {
                let at = state.foreseen.iter().position(|url| *url == refused.url);
                at.map(|at| state.foreseen.remove(at)).is_some()
            });
            if !foreseen {
                opener.note_refused(refused.clone(), openers - 1);
            }
        }
        self.update(|state| state.keep_refused(refused));
    }

    /// A worker that belongs to no page was kept from asking for what this page is on its way to: the worker answers in
    /// place of the network, and it has nothing to answer with. False if the page is not on its way there.
    pub(crate) fn is_kept_by_worker(&self, refused: &Refused) -> bool {
        let going = self.underway_to().is_some_and(|url| url.split('#').next() == Some(refused.url.as_str()));
        if going {
            let resource = "Document".to_owned();
            let refused = Refused { is_navigation: true, resource, ..refused.clone() };
            self.update(|state| state.stop_underway(refused.clone()));
            self.note_refused(refused, OPENERS_FOLLOWED);
        }
        going
    }

    /// Tells of a request of a worker that may work for this page.
    pub(crate) fn note_refused_worker(&self, refused: &Refused) {
        self.note_refused(refused.clone(), 0);
    }

    pub(super) fn refused_since_last(&self) -> Vec<Refused> {
        std::mem::take(&mut self.state().refused)
    }

    /// The address of the main frame.
    fn here(&self) -> String {
        let url = self.state().main_frame().map(|frame| frame.url.clone());
        url.filter(|url| !url.is_empty()).unwrap_or_else(|| "about:blank".to_owned())
    }

    /// What wants the main frame to go somewhere, in words.
    fn who_navigates(&self, url: &str) -> String {
        let reason =
            self.state().wish.as_ref().filter(|wish| wish.url == url).map(|wish| wish.reason.clone());
        let what = match reason.as_deref() {
            Some("anchorClick") => "a link",
            Some("formSubmissionGet" | "formSubmissionPost") => "a form",
            Some("metaTagRefresh" | "httpHeaderRefresh") => "a refresh",
            Some("scriptInitiated") => "a script",
            Some("reload") => "a reload",
            _ if self.opener.is_some() => "a page that was opened",
            _ => "a navigation",
        };
        format!("{what} of {}", self.here())
    }

    pub(super) fn hear_network(&self, event: Event<'_>) {
        if let Some(recorder) = self.network.recorder() {
            hear(recorder, event);
        }
    }
}

impl State {
    /// Keeps a stopped request for whoever asks. Images may be forgotten, but a call must hear that its page wanted to
    /// leave.
    fn keep_refused(&mut self, refused: Refused) {
        if self.refused.len() == REFUSED_KEPT {
            let forgettable = self.refused.iter().position(|known| !known.is_navigation);
            let Some(at) = forgettable.filter(|_| refused.is_navigation) else { return };
            self.refused.remove(at);
        }
        self.refused.push(refused);
    }

    /// The navigation that is under way was stopped. It has told of its beginning before its first request.
    fn stop_underway(&mut self, refused: Refused) {
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

    /// The error of a navigation that was stopped.
    pub(super) fn stopped_by(&self, loader: &str) -> Option<Error> {
        let (_, refused) = self.stopped.iter().rev().find(|(known, _)| known == loader)?;
        Some(Error::RequestRefused(Box::new(refused.clone())))
    }
}

/// Requests of a worker that belongs to no page.
pub(crate) struct WorkerRequests {
    network: Arc<Network>,
    context: Weak<ContextShared>,
}

impl WorkerRequests {
    /// Follows a worker from its beginning.
    pub(crate) fn follow(session: &Session, network: &Arc<Network>, context: Weak<ContextShared>) {
        session.set_handler(Arc::new(Self { network: network.clone(), context }));
        Self::prepare(session, network);
    }

    /// Has the requests of a worker wait for us before its first script runs.
    pub(super) fn prepare(session: &Session, network: &Network) {
        // A worker whose requests count as its page's does not know these commands, and need not.
        if let Some(interception) = network.interception(false) {
            session.send_then(interception, drop);
        }
        if network.recorder().is_some() {
            session.send_then(EnableNetworkParams::default(), drop);
        }
        session.send_then(auto_attach(&["worker"]), drop);
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
        if event.method != "Fetch.requestPaused" {
            if let Some(recorder) = self.network.recorder() {
                hear(recorder, event);
            }
            return;
        }
        if let Some(paused) = event.read::<RequestPaused>() {
            self.request_paused(session, paused);
        }
    }

    fn on_attached(&self, _parent: &Session, attached: Attached) {
        Self::follow(&attached.session, &self.network, self.context.clone());
    }

    fn on_fate(&self, _session: &Session, _fate: &Fate) {}
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
