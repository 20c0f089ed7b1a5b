//! Watches the page of a call: emits what happened to it, and fails if it left the allowed origins.

use actions_browser::{AnsweredDialog, DialogAnswer, Error, PageEvent, Refused, WhyRefused};
use actions_browser::{FailedRequest, RequestFailure as Failed};
use actions_primitives::Failure;
use actions_protocol::ErrorCode;
use actions_trace::{EventKind, RequestFailure};

use super::Run;

impl Run<'_> {
    /// Begins to watch. Requests that were blocked before the call are emitted and do not fail it: the page has stayed.
    pub(super) fn start_watching(&self) -> Result<(), Failure> {
        if self.depth == 0 {
            let page = self.stage.page();
            // A dialog that was answered before the call does not belong to it.
            page.take_answered();
            page.take_refused().iter().for_each(|refused| self.emit_refused(refused));
        }
        self.watch()
    }

    /// Waits until the page has reported everything that the last step caused, then watches for the last time.
    pub(super) async fn finish_watching(&self) -> Result<(), Failure> {
        if self.gate.confinement().is_some() {
            // A page that is gone or blocked by a dialog cannot be asked, and has reported what it could. A page that
            // does not answer in time may be anywhere.
            if let Err(Error::Timeout { waited_for, .. }) = self.stage.page().catch_up(self.deadline()).await
            {
                return Err(Failure::new(ErrorCode::HandlerTimeout, waited_for.to_string()));
            }
        }
        self.watch()
    }

    /// Emits what the page reported, the dialogs that were answered and the requests that were blocked. Fails if the page tried to leave the
    /// allowed origins or has left them.
    pub(super) fn watch(&self) -> Result<(), Failure> {
        self.emit_reports();
        let page = self.stage.page();
        page.take_answered().iter().for_each(|answered| self.emit_answered(answered));
        let refused = page.take_refused();
        refused.iter().for_each(|refused| self.emit_refused(refused));
        if let Some(refused) = refused.into_iter().find(|refused| refused.is_navigation) {
            return Err(Error::RequestRefused(Box::new(refused)).into());
        }
        let Some(confinement) = self.gate.confinement() else { return Ok(()) };
        let fail = |what: &str, url: String| {
            let allowed: Vec<&str> = confinement.origins().collect();
            Err(Failure::new(ErrorCode::UnsafeState, format!("the page {what} {url}"))
                .with_evidence("address", url)
                .with_evidence("allowed_origins", allowed))
        };
        let url = page.url();
        if !confinement.admits(&url) {
            return fail("left its surface for", url);
        }
        match page.navigating_to().filter(|url| !confinement.admits(url)) {
            Some(url) => fail("is about to leave its surface for", url),
            None => Ok(()),
        }
    }

    /// Emits the console messages, uncaught exceptions and failed requests of the page since the last time.
    pub(super) fn emit_reports(&self) {
        let reports = self.loss.take_reports(self.stage.page());
        reports.kept.into_iter().filter_map(|report| self.report(report)).for_each(|kind| self.emit(kind));
        if reports.dropped > 0 {
            self.emit(EventKind::ReportsDropped { count: reports.dropped });
        }
    }

    /// Returns the event of a report.
    fn report(&self, report: PageEvent) -> Option<EventKind> {
        let mask = |text: String| self.secrets.mask(text.as_str());
        Some(match report {
            PageEvent::Console(message) => EventKind::Console {
                level: message.level.as_str().to_owned(),
                text: mask(message.text),
                url: message.url.map(mask),
                line: message.line,
            },
            PageEvent::Exception(thrown) => {
                EventKind::Exception { text: mask(thrown.text), url: thrown.url.map(mask), line: thrown.line }
            }
            PageEvent::RequestFailed(FailedRequest { method, url, resource, failure, .. }) => {
                let failure = match failure {
                    Failed::Status(status) => RequestFailure::Status(status),
                    Failed::Network(text) => RequestFailure::Error(mask(text)),
                };
                EventKind::RequestFailed { method: mask(method), url: mask(url), resource, failure }
            }
            PageEvent::ReportsDropped { count } => EventKind::ReportsDropped { count },
            _ => return None,
        })
    }

    pub(super) fn emit_answered(&self, AnsweredDialog { dialog, answer }: &AnsweredDialog) {
        self.emit(EventKind::DialogAnswered {
            kind: dialog.kind.as_str().to_owned(),
            message: self.secrets.mask(dialog.message.as_str()),
            url: self.secrets.mask(dialog.url.as_str()),
            accepted: matches!(answer, DialogAnswer::Accept { .. }),
        });
    }

    fn emit_refused(&self, refused: &Refused) {
        let method = self.secrets.mask(refused.method.as_str());
        let url = self.secrets.mask(refused.url.as_str());
        let (resource, navigation) = (refused.resource.clone(), refused.is_navigation);
        self.emit(match &refused.why {
            WhyRefused::NotRecorded(miss) => EventKind::ReplayMiss {
                method,
                url,
                resource,
                navigation,
                body: miss.body.clone(),
                nearest: miss.nearest.as_ref().map(|nearest| self.secrets.mask(nearest.as_str())),
            },
            WhyRefused::Confined { by, .. } => {
                let by = self.secrets.mask(by.as_str());
                EventKind::RequestRefused { method, url, resource, navigation, by }
            }
        });
    }
}
