//! Applies protocol events to the state of a page, and emits page events.

use std::sync::Arc;

use super::state::{RequestedNavigation, State, Underway};
use super::wire::{
    DialogOpening, FileChooserOpened, FrameAttached, FrameDetached, FrameNavigated, FrameRequestedNavigation,
    FrameStartedNavigating, FrameStoppedLoading, LifecycleEvent, NavigatedWithinDocument, WindowOpen,
};
use super::{ChromiumPage, WorkerRequests, steady_worker};
use crate::cdp::{Attached, Event, EventHandler, Session, SessionEnd, Subject};
use crate::chromium::browser::let_go;
use crate::cut::cut;
use crate::{Dialog, DialogKind, Error, FrameId, LoadState, Navigated, PageEvent};

impl EventHandler for ChromiumPage {
    fn on_event(&self, session: &Session, event: Event<'_>) {
        match event.method {
            "Page.frameAttached" => self.frame_attached(session, event),
            "Page.frameDetached" => self.frame_detached(event),
            "Page.frameNavigated" => self.frame_navigated(session, event),
            "Page.navigatedWithinDocument" => self.navigated_within_document(event),
            "Fetch.requestPaused" => self.request_paused(session, event),
            "Fetch.authRequired" => self.auth_required(session, event),
            "Page.frameRequestedNavigation" => self.frame_requested_navigation(event),
            "Page.windowOpen" => self.window_open(event),
            "Page.frameStartedNavigating" => self.frame_started_navigating(event),
            "Page.frameStoppedLoading" => self.frame_stopped_loading(event),
            "Page.lifecycleEvent" => self.lifecycle_event(event),
            "Page.javascriptDialogOpening" => self.dialog_opening(event),
            "Page.javascriptDialogClosed" => self.dialog_closed(),
            "Page.fileChooserOpened" => self.file_chooser_opened(event),
            steady_worker::PAUSED if *session.subject() == Subject::Worker => {
                if let Some(script) = &self.settings.steady {
                    steady_worker::paused(session, script);
                }
            }
            "Inspector.targetReloadedAfterCrash" if session.is_same(&self.session) => {
                self.update(|state| state.crashed = false);
            }
            _ if self.hidden => {}
            "Runtime.bindingCalled" => {
                self.asked(session, event);
                self.reported(session, event);
                self.note_announcement(event);
            }
            _ => {
                self.record_network_event(event);
                self.report(session, event);
            }
        }
    }

    fn on_attached(&self, parent: &Session, attached: Attached) {
        match (attached.session.subject(), self.this.upgrade()) {
            (Subject::Frame(_), Some(this)) => {
                attached.session.set_handler(this);
                self.prepare(&attached.session);
            }
            // The context has attached to it before and intercepts its requests.
            (Subject::Worker, _) if attached.target.kind == "service_worker" => {
                let_go(parent, &attached.session);
            }
            (Subject::Worker, Some(this)) if self.network.concerns_everything() => {
                attached.session.set_handler(this);
                WorkerRequests::prepare(&attached.session, &self.network, self.settings.steady.is_some());
            }
            // Not needed, but it must not wait for the debugger for ever.
            _ => let_go(parent, &attached.session),
        }
    }

    fn on_end(&self, session: &Session, end: &SessionEnd) {
        let is_page = session.is_same(&self.session);
        match end {
            SessionEnd::Crashed if is_page => {
                self.update(|state| {
                    state.crashed = true;
                    state.dialog = None;
                });
                self.emit(PageEvent::Crashed);
            }
            SessionEnd::Crashed => {
                let (crashed, gone) = self.update(|state| state.crash(session));
                gone.into_iter().for_each(|frame| self.emit(PageEvent::FrameDetached(frame)));
                crashed.into_iter().for_each(|frame| self.emit(PageEvent::FrameCrashed(frame)));
            }
            SessionEnd::Detached if !is_page => self.update(|state| state.evict(session)),
            SessionEnd::Detached | SessionEnd::Lost(_) => {
                let error = end.error(&Subject::Page);
                let first = self.update(|state| state.end(error));
                if first {
                    self.emit(PageEvent::Closed);
                    self.announce_end();
                }
            }
        }
    }
}

impl State {
    fn end(&mut self, error: Error) -> bool {
        let first = self.ended.is_none();
        self.ended.get_or_insert(error);
        self.dialog = None;
        first
    }
}

impl ChromiumPage {
    fn frame_attached(&self, session: &Session, event: Event<'_>) {
        let Some(event) = event.read::<FrameAttached>() else { return };
        self.update(|state| state.attach(&event.frame_id, Some(&event.parent_frame_id), session));
    }

    fn frame_detached(&self, event: Event<'_>) {
        let Some(event) = event.read::<FrameDetached>() else { return };
        if event.reason == "swap" {
            return;
        }
        let frame = FrameId::new(event.frame_id);
        for gone in self.update(|state| state.remove(&frame)) {
            self.emit(PageEvent::FrameDetached(gone));
        }
    }

    fn frame_navigated(&self, session: &Session, event: Event<'_>) {
        let Some(event) = event.read::<FrameNavigated>() else { return };
        self.leave_forbidden_document(&event.frame);
        let (frame, url, is_main) = self.update(|state| {
            let id = state.commit(event.frame, session);
            let is_main = id == state.main;
            if is_main {
                state.crashed = false;
            }
            let url = state.frame(&id).map(|frame| frame.url.clone()).unwrap_or_default();
            (id, url, is_main)
        });
        if is_main {
            // Almost every document of the main frame gets a script call, so create its world ahead.
            self.request_world(&frame);
            self.visited(&url);
        }
        self.emit(PageEvent::Navigated(Navigated {
            frame,
            url,
            same_document: false,
            redirected_by_page: false,
            status: None,
        }));
    }

    fn navigated_within_document(&self, event: Event<'_>) {
        let Some(event) = event.read::<NavigatedWithinDocument>() else { return };
        let known = self.update(|state| {
            let number = state.next();
            let Some(frame) = state.frame_mut(&event.frame_id) else { return false };
            frame.url.clone_from(&event.url);
            frame.navigation = number;
            frame.same_document = true;
            true
        });
        if known {
            self.emit(PageEvent::Navigated(Navigated {
                frame: FrameId::new(event.frame_id),
                url: event.url,
                same_document: true,
                redirected_by_page: false,
                status: None,
            }));
        }
    }

    fn frame_started_navigating(&self, event: Event<'_>) {
        let Some(event) = event.read::<FrameStartedNavigating>() else { return };
        let kind = event.navigation_type.to_ascii_lowercase();
        if kind.contains("samedocument") {
            return;
        }
        let revisits = ["reload", "history", "restore"].iter().any(|again| kind.starts_with(again));
        self.update(|state| {
            if let Some(frame) = state.frame_mut(&event.frame_id) {
                frame.begin(Underway { loader: event.loader_id, url: event.url }, revisits);
            }
        });
    }

    fn frame_requested_navigation(&self, event: Event<'_>) {
        let Some(event) = event.read::<FrameRequestedNavigation>() else { return };
        self.update(|state| {
            let here = matches!(event.disposition.as_str(), "" | "currentTab");
            let frame = FrameId::new(event.frame_id);
            if here && state.main == frame {
                let underway = state.main_frame().and_then(|frame| frame.underway.as_ref());
                let replaces = underway.map(|underway| underway.loader.clone());
                state.requested =
                    Some(RequestedNavigation { url: event.url, reason: event.reason, replaces });
            } else if here && let Some(frame) = state.frames.get_mut(&frame) {
                frame.requested = true;
            }
        });
    }

    fn window_open(&self, event: Event<'_>) {
        let Some(event) = event.read::<WindowOpen>() else { return };
        self.check_window_open(&event.url);
    }

    fn frame_stopped_loading(&self, event: Event<'_>) {
        let Some(event) = event.read::<FrameStoppedLoading>() else { return };
        self.update(|state| {
            if state.main.as_str() == event.frame_id {
                // The browser stops the old navigation before it starts the one that replaces it.
                state.requested = state.requested.take().filter(|requested| requested.replaces.is_some());
                if let Some(requested) = &mut state.requested {
                    requested.replaces = None;
                }
            }
            let number = state.next();
            if let Some(frame) = state.frame_mut(&event.frame_id) {
                frame.requested = false;
                if let Some(underway) = frame.underway.take() {
                    frame.aborted = Some((number, underway.loader));
                }
            }
        });
    }

    fn lifecycle_event(&self, event: Event<'_>) {
        let Some(event) = event.read::<LifecycleEvent>() else { return };
        let reached = match event.name.as_str() {
            "init" => Some(LoadState::Commit),
            "DOMContentLoaded" => Some(LoadState::DomContentLoaded),
            "load" => Some(LoadState::Load),
            "firstPaint" => None,
            _ => return,
        };
        self.update(|state| {
            let Some(frame) = state.frame_mut(&event.frame_id) else { return };
            // No navigation precedes the initial empty document of a frame.
            if frame.loader.is_empty() {
                frame.loader.clone_from(&event.loader_id);
            }
            if frame.loader == event.loader_id {
                match reached {
                    Some(reached) => frame.reached = frame.reached.max(reached),
                    None => frame.painted = true,
                }
            }
        });
    }

    fn dialog_opening(&self, event: Event<'_>) {
        let Some(event) = event.read::<DialogOpening>() else { return };
        let kind = match event.r#type.as_str() {
            "confirm" => DialogKind::Confirm,
            "prompt" => DialogKind::Prompt,
            "beforeunload" => DialogKind::BeforeUnload,
            _ => DialogKind::Alert,
        };
        let suggestion = event.default_prompt.filter(|_| kind == DialogKind::Prompt);
        let dialog = Dialog {
            kind,
            message: cut(event.message),
            default_prompt: suggestion.clone().map(cut),
            url: event.url,
        };
        self.update_and_answer_dialog(|state| {
            state.dialog = Some(dialog.clone());
            state.suggestion = suggestion;
        });
        self.emit(PageEvent::DialogOpened(dialog));
    }

    fn dialog_closed(&self) {
        self.update(|state| state.dialog = None);
        self.emit(PageEvent::DialogClosed);
    }

    fn file_chooser_opened(&self, event: Event<'_>) {
        let Some(event) = event.read::<FileChooserOpened>() else { return };
        let multiple = event.mode == "selectMultiple";
        let (frame, field) = (FrameId::new(event.frame_id), event.backend_node_id);
        self.emit(PageEvent::FileChooser { frame, multiple, field });
    }

    /// Ends the preparation: the page is usable, or `refused` says why it is not.
    pub(super) fn became_ready(&self, refused: Option<Error>) {
        self.update(|state| {
            state.ready = refused.is_none();
            state.unprepared = refused;
        });
        if let (Some(context), Some(this)) = (self.context.upgrade(), self.this.upgrade()) {
            context.page_ready(&this);
        }
    }

    fn announce_end(&self) {
        if let Some(context) = self.context.upgrade() {
            context.page_ended(self);
        }
    }

    fn visited(&self, url: &str) {
        if let Some(context) = self.context.upgrade().filter(|_| !self.hidden) {
            context.visited(url);
        }
    }

    /// Emits that this page opened another page of the context.
    pub(crate) fn emit_opened(&self, page: Arc<ChromiumPage>) {
        self.emit(PageEvent::Opened(page));
    }

    pub(crate) fn holds_frame(&self, frame: &FrameId) -> bool {
        self.state().frame(frame).is_some()
    }

    /// Notes a download that a frame of this page started.
    pub(crate) fn download_began(&self, download: crate::Download) {
        if let Some(context) = self.context.upgrade() {
            context.download_began(self, download);
        }
    }

    pub(crate) fn emit_download(&self, download: crate::Download) {
        self.emit(PageEvent::Download(download));
    }
}
