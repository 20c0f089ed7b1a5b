//! Controls the network access of a context: confinement, recording and replay.
//!
//! The browser pauses the requests that matter, and we continue, answer or refuse them: documents at the checkpoint, on
//! the session of the browser; all requests of a replay on the session of their page. A barrier blocks what cannot be paused, such as sockets, name lookups and requests of the browser itself: a proxy that lets nothing through, or only
//! the allowed origins.

mod barrier;
mod checkpoint;
mod dead_end;
mod gatekeeper;
mod guarded;
mod paused;
mod record;
mod replay;

use std::sync::{Arc, PoisonError, RwLock};

use chromiumoxide_cdp::cdp::browser_protocol::fetch::{
    ContinueRequestParams, EnableParams, FailRequestParams, RequestPattern, RequestStage,
};
use chromiumoxide_cdp::cdp::browser_protocol::network::{ErrorReason, ResourceType};

pub(crate) use self::barrier::Barrier;
pub(crate) use self::checkpoint::Checkpoint;
pub(crate) use self::guarded::AuthRequired;
use self::guarded::Guarded;
pub(crate) use self::paused::RequestPaused;
pub(crate) use self::record::record_event;
use crate::cdp::Session;
use crate::har::{Recorder, Replay};
use crate::{Confinement, ContextOptions, WhyRefused};

/// The network settings of a context.
pub(crate) struct Network {
    replay: Option<Arc<Replay>>,
    recorder: RwLock<Option<Arc<Recorder>>>,
    reports_failed_requests: bool,
    confinement: RwLock<Option<Arc<Confinement>>>,
    guarded: Guarded,
}

impl Network {
    pub(crate) fn new(options: &ContextOptions) -> Self {
        let guarded = Guarded::new(options.access.clone());
        if let Some(recorder) = &options.recorder {
            recorder.conceal(guarded.secrets());
        }
        Self {
            guarded,
            replay: options.replay.clone(),
            recorder: RwLock::new(options.recorder.clone()),
            reports_failed_requests: options.report_failed_requests,
            confinement: RwLock::new(options.confinement.clone().map(Arc::new)),
        }
    }

    pub(crate) fn confine(&self, confinement: Confinement) {
        *self.confinement.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(confinement));
    }

    pub(crate) fn confinement(&self) -> Option<Arc<Confinement>> {
        self.confinement.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether all requests are intercepted, including those of frames and workers.
    pub(crate) fn concerns_everything(&self) -> bool {
        self.replay.is_some() || self.recorder().is_some() || !self.guarded.is_empty()
    }

    /// Whether the events of requests are recorded or reported.
    pub(crate) fn is_watched(&self) -> bool {
        self.recorder().is_some() || self.reports_failed_requests
    }

    pub(crate) fn recorder(&self) -> Option<Arc<Recorder>> {
        self.recorder.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Records from now on, or no longer. The pages learn of it by [`ChromiumPage::follow_recording`].
    ///
    /// [`ChromiumPage::follow_recording`]: crate::chromium::page::ChromiumPage::follow_recording
    pub(crate) fn record(&self, recorder: Option<Arc<Recorder>>) {
        if let Some(recorder) = &recorder {
            recorder.conceal(self.guarded.secrets());
        }
        *self.recorder.write().unwrap_or_else(PoisonError::into_inner) = recorder;
    }

    /// Whether documents must pass the checkpoint. A replay needs none: its barrier lets nothing through.
    ///
    /// It costs one round trip per document and nothing for other requests.
    pub(crate) fn needs_checkpoint(&self) -> bool {
        self.replay.is_none() && self.confinement().is_some()
    }

    /// Which requests of a session the browser pauses; `None` if it pauses none.
    pub(crate) fn interception(&self) -> Option<EnableParams> {
        let mut patterns = Vec::new();
        match self.replay {
            Some(_) => patterns.push(pattern(None, RequestStage::Request)),
            None => patterns.extend(self.guarded.patterns(self.confinement().as_deref())),
        }
        if self.recorder().is_some() {
            patterns.push(pattern(None, RequestStage::Response));
        }
        // A recording asks nobody who they are.
        let answers = (self.replay.is_none() && self.guarded.answers()).then_some(true);
        (!patterns.is_empty())
            .then_some(EnableParams { patterns: Some(patterns), handle_auth_requests: answers })
    }

    /// Answers a server that asks for authentication.
    pub(crate) fn authenticate(&self, session: &Session, asked: &AuthRequired) {
        self.guarded.answer(session, asked);
    }

    /// Continues, answers or refuses a paused request; returns the reason if it is refused. `navigating_by` names what
    /// caused the request if it navigates a main frame.
    pub(crate) fn decide(
        &self,
        session: &Session,
        paused: &RequestPaused,
        navigating_by: Option<&str>,
    ) -> Option<WhyRefused> {
        if paused.has_answer() {
            match self.recorder() {
                Some(recorder) => record::record(&recorder, session, paused),
                None => go_on(session, paused),
            }
            return None;
        }
        if let (Some(by), Some(confinement)) = (navigating_by, self.confinement())
            && !confinement.admits(&paused.request.url)
        {
            // The page keeps its document.
            fail(session, paused, ErrorReason::Aborted);
            return Some(confined(&confinement, by));
        }
        // On the live network the barrier blocks subresources; a replay answers before the barrier is reached.
        if let (Some(_), Some(confinement)) = (&self.replay, self.confinement())
            && confinement.confines_subresources()
            && !confinement.admits(&paused.request.url)
        {
            fail(session, paused, ErrorReason::BlockedByClient);
            return Some(confined(&confinement, "the page"));
        }
        match &self.replay {
            Some(replay) => replay::answer(replay, session, paused).map(WhyRefused::NotRecorded),
            None => {
                self.guarded.go_on(session, paused, self.confinement().as_deref());
                None
            }
        }
    }
}

fn confined(confinement: &Confinement, by: &str) -> WhyRefused {
    WhyRefused::Confined { allowed: confinement.origins().map(str::to_owned).collect(), by: by.to_owned() }
}

/// The URL of a request for the log, without query and fragment: they may contain secrets.
fn place(url: &str) -> &str {
    url.split(['?', '#']).next().unwrap_or_default()
}

fn pattern(resource_type: Option<ResourceType>, stage: RequestStage) -> RequestPattern {
    RequestPattern { url_pattern: Some("*".to_owned()), resource_type, request_stage: Some(stage) }
}

fn go_on(session: &Session, paused: &RequestPaused) {
    // The request may be gone; the response does not matter.
    session.send_then(ContinueRequestParams::new(paused.request_id.clone()), drop);
}

fn fail(session: &Session, paused: &RequestPaused, reason: ErrorReason) {
    session.send_then(FailRequestParams::new(paused.request_id.clone(), reason), drop);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_shows_urls_without_query_and_fragment() {
        assert_eq!(place("https://a.example/b?token=c#d"), "https://a.example/b");
        assert_eq!(place("https://a.example/b#token=c"), "https://a.example/b");
        assert_eq!(place("a.example:443"), "a.example:443");
    }
}
