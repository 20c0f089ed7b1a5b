//! Navigates a page and waits for its documents.

use std::time::Duration;

use async_trait::async_trait;
use chromiumoxide_cdp::cdp::browser_protocol::page::{
    NavigateParams, NavigateToHistoryEntryParams, ReloadParams,
};

use super::ChromiumPage;
use super::refusal::is_invalid_url;
use super::state::{FrameState, State, Status};
use crate::{Deadline, Error, FrameId, LoadState, Navigated, Navigation, NavigationFailure, NavigationMark};

#[async_trait]
impl Navigation for ChromiumPage {
    async fn navigate(&self, url: &str, until: LoadState, deadline: Deadline) -> Result<Navigated, Error> {
        self.refuse_if_ended_or_dialog()?;
        self.refuse_if_out_of_bounds(url)?;
        let failed = |reason| Error::NavigationFailed { url: url.to_owned(), reason };
        let mark = self.navigation_mark();
        let answer = self.answer(self.session.send(NavigateParams::new(url), deadline)).await;
        let answer = answer.map_err(|error| match error {
            error if is_invalid_url(&error) => failed(NavigationFailure::InvalidUrl),
            // The browser responds when the document commits, so report the document that did not come.
            Error::Timeout { limit, .. } => {
                let (waited_for, saw) = self.state().waits_for(until);
                Error::Timeout { waited_for: waited_for.into(), limit, saw }
            }
            other => other,
        })?;
        let loader = answer.loader_id.map(String::from);
        if let Some(text) = answer.error_text.filter(|text| !text.is_empty()) {
            let reason = match answer.is_download {
                Some(true) => NavigationFailure::Download,
                _ if self.state().stayed > mark.0 => NavigationFailure::Stayed,
                _ if text == "net::ERR_ABORTED" => self.why_aborted(loader.as_deref(), deadline).await?,
                _ => {
                    self.error_page(loader.as_deref(), deadline).await?;
                    NavigationFailure::Network(text)
                }
            };
            let stopped = loader.as_deref().and_then(|loader| self.state().stopped_by(loader));
            return Err(stopped.unwrap_or_else(|| failed(reason)));
        }
        match loader {
            // No new loader: a same-document navigation.
            None => self.wait_for_navigation(mark, until, deadline).await,
            Some(loader) => {
                let navigated = self.document_of(url, &loader, until, deadline).await?;
                Ok(self.with_status(navigated, deadline).await)
            }
        }
    }

    async fn go(&self, steps: i32, until: LoadState, deadline: Deadline) -> Result<Navigated, Error> {
        self.refuse_if_ended_or_dialog()?;
        let entry = self.history_entry(steps, deadline).await?;
        let mark = self.navigation_mark();
        let going = self.session.send(NavigateToHistoryEntryParams::new(entry.id), deadline);
        self.answer(going).await?;
        let navigated = self.arrived_at(&entry, mark, until, deadline).await?;
        Ok(self.with_status(navigated, deadline).await)
    }

    async fn reload(&self, until: LoadState, deadline: Deadline) -> Result<Navigated, Error> {
        self.refuse_if_ended_or_dialog()?;
        let mark = self.navigation_mark();
        self.answer(self.session.send(ReloadParams::default(), deadline)).await?;
        let revisit = |state: &State| state.revisit(mark, until);
        let navigated = self.until(deadline, |state| state.waits_for(until), revisit).await?;
        Ok(self.with_status(navigated, deadline).await)
    }

    fn navigation_mark(&self) -> NavigationMark {
        NavigationMark(self.state().sequence)
    }

    fn navigating_to(&self) -> Option<String> {
        let state = self.state();
        let underway = state.main_frame().and_then(|frame| frame.underway.as_ref());
        let requested = state.requested.as_ref().map(|requested| &requested.url);
        underway.map(|underway| &underway.url).or(requested).cloned()
    }

    async fn wait_for_navigation(
        &self,
        since: NavigationMark,
        until: LoadState,
        deadline: Deadline,
    ) -> Result<Navigated, Error> {
        let arrival = |state: &State| {
            let frame = state.main_frame()?;
            if frame.navigation <= since.0 {
                return state.nowhere_since(since).map(Err);
            }
            let same_document = frame.document <= since.0;
            if !same_document && frame.reached < until {
                return state.turned_back_since(frame.document).map(Err);
            }
            Some(state.arrived(same_document, false))
        };
        let navigated = self.until(deadline, |state| state.waits_for(until), arrival).await?;
        Ok(self.with_status(navigated, deadline).await)
    }

    async fn settle_navigation(
        &self,
        since: NavigationMark,
        deadline: Deadline,
    ) -> Result<Option<Navigated>, Error> {
        match self.aftermath(deadline).await {
            Ok(_) => {}
            // The dialog blocks the page, so no document comes before it is answered.
            Err(Error::DialogOpen(_)) => return Ok(None),
            Err(error) => return Err(error),
        }
        let gesture_frame = self.state().progress.frame.clone();
        if !self.state().is_navigating(gesture_frame.as_ref(), since) {
            return Ok(None);
        }
        let requested_at = self.clock().now();
        let settled = |state: &State| {
            let waited = self.clock().now().saturating_duration_since(requested_at);
            let gave_up = waited >= UNSTARTED && !state.has_started(gesture_frame.as_ref(), since);
            match gave_up {
                true => Some(Ok(None)),
                false => state.settled_since(gesture_frame.as_ref(), since),
            }
        };
        let waits_for = |state: &State| state.waits_for(LoadState::DomContentLoaded);
        // A requested navigation that never starts ends without an event.
        let soon = deadline.at_most(&**self.clock(), UNSTARTED);
        let navigated = match self.until(soon, waits_for, settled).await {
            Err(Error::Timeout { .. }) if soon.at() < deadline.at() => {
                self.until(deadline, waits_for, settled).await
            }
            other => other,
        };
        match navigated {
            Ok(Some(navigated)) => Ok(Some(self.with_status(navigated, deadline).await)),
            Ok(None) | Err(Error::DialogOpen(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    async fn wait_for_load(
        &self,
        frame: &FrameId,
        until: LoadState,
        deadline: Deadline,
    ) -> Result<(), Error> {
        self.until(
            deadline,
            |state| {
                let saw = state.frame(frame).map(|known| known.reached.as_str().to_owned());
                (format!("{} of frame {frame}", until.as_str()), saw)
            },
            |state| match state.frame(frame) {
                None => Some(Err(Error::FrameDetached { frame: frame.clone() })),
                Some(known) => (known.reached >= until).then_some(Ok(())),
            },
        )
        .await
    }
}

/// How long a requested navigation may take to start before the driver takes it for one that never will.
const UNSTARTED: Duration = Duration::from_secs(1);

/// How long a document that is loaded may take to say its status: it may be busy.
const STATUS_TIMEOUT: Duration = Duration::from_secs(1);

impl ChromiumPage {
    /// Adds the HTTP status of the document, once its page script has said it.
    async fn with_status(&self, mut navigated: Navigated, deadline: Deadline) -> Navigated {
        if navigated.same_document {
            return navigated;
        }
        let soon = deadline.at_most(&**self.clock(), STATUS_TIMEOUT);
        let known = |state: &State| match state.frame(&navigated.frame)?.status {
            Status::Known(status) => Some(Ok(status)),
            Status::Pending => None,
        };
        let waits_for = |_: &State| ("the status of the document".to_owned(), None);
        // A page that is too busy to answer, or gone, has no known status.
        navigated.status = self.until(soon, waits_for, known).await.ok().flatten();
        navigated
    }

    /// Waits for the document of a loader. If the page navigates by itself before that document has reached `until`, the
    /// wait follows it. A document that committed earlier does not count: it belongs to an earlier navigation.
    async fn document_of(
        &self,
        url: &str,
        loader: &str,
        until: LoadState,
        deadline: Deadline,
    ) -> Result<Navigated, Error> {
        self.until(
            deadline,
            |state| state.waits_for(until),
            |state| {
                let frame = state.main_frame()?;
                if !frame.committed.iter().any(|known| known == loader) {
                    let overtaken = frame.begun.as_ref().is_some_and(|begun| begun != loader);
                    return (overtaken && frame.underway.is_none()).then(|| {
                        let reason = NavigationFailure::Superseded { by: frame.url.clone() };
                        Err(Error::NavigationFailed { url: url.to_owned(), reason })
                    });
                }
                if let Some(stopped) = state.stopped_by(loader) {
                    return Some(Err(stopped));
                }
                if frame.reached < until {
                    return state.turned_back_since(frame.document).map(Err);
                }
                Some(state.arrived(false, frame.loader != loader))
            },
        )
        .await
    }

    /// Finds out why a navigation was aborted: another one replaced it, or there was nothing to show.
    async fn why_aborted(
        &self,
        loader: Option<&str>,
        deadline: Deadline,
    ) -> Result<NavigationFailure, Error> {
        self.until(
            deadline,
            |_| ("the end of the navigation".to_owned(), None),
            |state| {
                let frame = state.main_frame()?;
                match &frame.underway {
                    Some(underway) if Some(underway.loader.as_str()) == loader => None,
                    Some(underway) => Some(Ok(NavigationFailure::Superseded { by: underway.url.clone() })),
                    None => Some(Ok(NavigationFailure::Aborted)),
                }
            },
        )
        .await
    }

    /// Waits until the browser shows its error page, so that the next navigation does not race with it.
    async fn error_page(&self, loader: Option<&str>, deadline: Deadline) -> Result<(), Error> {
        self.until(
            deadline,
            |_| ("the browser's error page".to_owned(), None),
            |state| {
                let underway = state.main_frame()?.underway.as_ref();
                let over = underway.is_none_or(|underway| Some(underway.loader.as_str()) != loader);
                over.then_some(Ok(()))
            },
        )
        .await
    }

    /// A crashed page may navigate: that is how it recovers.
    pub(super) fn refuse_if_ended_or_dialog(&self) -> Result<(), Error> {
        match self.refuse_if_blocked() {
            Err(Error::PageCrashed) => Ok(()),
            other => other,
        }
    }
}

impl State {
    pub(super) fn main_frame(&self) -> Option<&FrameState> {
        self.frames.get(&self.main)
    }

    pub(super) fn waits_for(&self, until: LoadState) -> (String, Option<String>) {
        let saw = self.main_frame().map(|frame| match &frame.underway {
            Some(underway) => format!("navigating to {}", underway.url),
            None => format!("{} of {}", frame.reached.as_str(), frame.url),
        });
        (format!("the new document ({})", until.as_str()), saw)
    }

    /// The document that a reload or a history navigation brought after the mark, once it has reached `until`.
    pub(super) fn revisit(&self, mark: NavigationMark, until: LoadState) -> Option<Result<Navigated, Error>> {
        let frame = self.main_frame()?;
        if frame.revisited <= mark.0 {
            return self.nowhere_since(mark).map(Err);
        }
        match frame.reached >= until {
            true => Some(self.arrived(false, frame.document != frame.revisited)),
            false => self.turned_back_since(frame.document).map(Err),
        }
    }

    /// The frames whose documents the next step reads: the main frame and the one that received the input.
    fn acting_frames<'s>(&'s self, gesture: Option<&'s FrameId>) -> impl Iterator<Item = &'s FrameState> {
        let inner = gesture.filter(|frame| **frame != self.main).and_then(|frame| self.frame(frame));
        self.main_frame().into_iter().chain(inner)
    }

    /// Whether the main frame, or the frame that received the input, has begun to load another document since the mark.
    fn is_navigating(&self, gesture: Option<&FrameId>, since: NavigationMark) -> bool {
        self.requested.is_some() || self.has_started(gesture, since)
    }

    fn has_started(&self, gesture: Option<&FrameId>, since: NavigationMark) -> bool {
        self.acting_frames(gesture)
            .any(|frame| frame.underway.is_some() || frame.requested || frame.document > since.0)
    }

    /// The document that came after the mark, once no navigation is pending and it is parsed; `None` inside if the
    /// navigation ended without a document.
    fn settled_since(
        &self,
        gesture: Option<&FrameId>,
        since: NavigationMark,
    ) -> Option<Result<Option<Navigated>, Error>> {
        if self.requested.is_some() {
            return None;
        }
        let pending = |frame: &FrameState| {
            frame.underway.is_some()
                || frame.requested
                || (frame.document > since.0 && frame.reached < LoadState::DomContentLoaded)
        };
        let main = self.main_frame()?;
        if self.acting_frames(gesture).any(pending) {
            let is_leaving = main.underway.is_none() && main.document > since.0;
            return is_leaving.then(|| self.turned_back_since(main.document).map(Err))?;
        }
        if main.document > since.0 {
            return Some(self.arrived(false, false).map(Some));
        }
        let inner = gesture.and_then(|id| Some((id, self.frame(id)?)));
        let navigated = inner.filter(|(_, frame)| frame.document > since.0).map(|(id, frame)| Navigated {
            frame: id.clone(),
            url: frame.url.clone(),
            same_document: false,
            redirected_by_page: false,
            status: None,
        });
        Some(Ok(navigated))
    }

    /// The error of a navigation of the main frame that ended without a document after the mark.
    fn nowhere_since(&self, mark: NavigationMark) -> Option<Error> {
        let frame = self.main_frame()?;
        if frame.underway.is_some() {
            return None;
        }
        if self.stayed > mark.0 {
            let url = frame.url.clone();
            return Some(Error::NavigationFailed { url, reason: NavigationFailure::Stayed });
        }
        let (_, loader) = frame.aborted.as_ref().filter(|(number, _)| *number > mark.0)?;
        Some(self.stopped_by(loader).unwrap_or_else(|| Error::NavigationFailed {
            url: frame.url.clone(),
            reason: NavigationFailure::Aborted,
        }))
    }

    /// The result of a navigation of the main frame.
    pub(super) fn arrived(&self, same_document: bool, redirected_by_page: bool) -> Result<Navigated, Error> {
        let frame = self.main_frame().ok_or(Error::PageClosed)?;
        if let Some(stopped) = self.stopped_by(&frame.loader) {
            return Err(stopped);
        }
        match &frame.unreachable {
            Some(url) => {
                Err(Error::NavigationFailed { url: url.clone(), reason: NavigationFailure::Unreachable })
            }
            None => Ok(Navigated {
                frame: self.main.clone(),
                url: frame.url.clone(),
                same_document,
                redirected_by_page,
                status: match frame.status {
                    Status::Known(status) if !same_document => status,
                    Status::Known(_) | Status::Pending => None,
                },
            }),
        }
    }
}
