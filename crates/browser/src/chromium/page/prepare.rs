//! Prepares a new session of a page before any script in it runs.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, Weak};

use chromiumoxide_cdp::cdp::browser_protocol::emulation::{
    SetDeviceMetricsOverrideParams, SetFocusEmulationEnabledParams, SetGeolocationOverrideParams,
    SetLocaleOverrideParams, SetTimezoneOverrideParams, SetUserAgentOverrideParams, UserAgentBrandVersion,
    UserAgentMetadata,
};
use chromiumoxide_cdp::cdp::browser_protocol::fetch::EnableParams as EnableFetchParams;
use chromiumoxide_cdp::cdp::browser_protocol::log::EnableParams as EnableLogParams;
use chromiumoxide_cdp::cdp::browser_protocol::page::{
    AddScriptToEvaluateOnNewDocumentParams, EnableParams, SetInterceptFileChooserDialogParams,
    SetLifecycleEventsEnabledParams,
};
use chromiumoxide_cdp::cdp::browser_protocol::target::SetAutoAttachParams;
use chromiumoxide_cdp::cdp::js_protocol::runtime::{
    EnableParams as EnableRuntimeParams, RunIfWaitingForDebuggerParams,
};
use chromiumoxide_types::Command;

use super::ChromiumPage;
use super::announced::announcing;
use super::refusal::is_in_effect;
use super::reports::network_events;
use super::wire::GetFrameTree;
use crate::cdp::{Session, Subject};
use crate::chromium::browser::auto_attach;
use crate::chromium::network::Network;
use crate::{Error, Geolocation, Locale, Viewport, script};

/// The name of the isolated world that the page script lives in.
pub(super) const WORLD: &str = "actions";

/// Settings of every page of a context.
#[derive(Debug)]
pub(crate) struct PageSettings {
    pub(crate) viewport: Viewport,
    pub(crate) user_agent: String,
    /// The browser's major version, for client hints.
    pub(crate) major_version: String,
    pub(crate) locale: Locale,
    pub(crate) geolocation: Option<Geolocation>,
    /// What makes time and random numbers the same on every load.
    pub(crate) steady: Option<String>,
    /// Whether a page is painted only in front of its window.
    pub(crate) must_be_in_front: bool,
}

/// Counts the responses that are still missing. The page is ready after the last one, and unusable if one was refused.
struct Outstanding {
    left: AtomicUsize,
    page: Weak<ChromiumPage>,
    refused: OnceLock<Error>,
}

impl Outstanding {
    fn send<C: Command>(self: &Arc<Self>, session: &Session, command: C) {
        self.left.fetch_add(1, Ordering::Relaxed);
        let this = self.clone();
        let method = command.identifier();
        session.send_then(command, move |answer| {
            if let Err(error) = answer {
                tracing::debug!("{method} while preparing a page: {error}");
                this.refused(error);
            }
            this.done();
        });
    }

    /// Sends a command for a setting that the caller chose, and names the setting if the browser refuses it.
    fn set<C: Command>(self: &Arc<Self>, session: &Session, command: C, setting: &'static str, value: &str) {
        self.left.fetch_add(1, Ordering::Relaxed);
        let (this, value) = (self.clone(), value.to_owned());
        session.send_then(command, move |answer| {
            match answer {
                Err(error @ Error::Refused { .. }) if !is_in_effect(&error) => {
                    drop(this.refused.set(Error::SettingRefused { setting, value }));
                }
                Err(error) => this.refused(error),
                Ok(_) => {}
            }
            this.done();
        });
    }

    /// Keeps the first refusal.
    fn refused(&self, error: Error) {
        match &error {
            error if is_in_effect(error) => {}
            Error::Refused { .. } => drop(self.refused.set(error)),
            // The page is gone or crashed; its own events report that.
            _ => {}
        }
    }

    fn done(&self) {
        if self.left.fetch_sub(1, Ordering::AcqRel) == 1
            && let Some(page) = self.page.upgrade()
        {
            page.became_ready(self.refused.get().cloned());
        }
    }
}

impl ChromiumPage {
    /// Sends all commands at once. The session waits for the last of them before it runs its first script.
    pub(super) fn prepare(&self, session: &Session) {
        let is_page = *session.subject() == Subject::Page;
        // An out-of-process frame is prepared too, but the page does not wait for it.
        let waiting = if is_page { self.this.clone() } else { Weak::new() };
        let steps =
            Arc::new(Outstanding { left: AtomicUsize::new(1), page: waiting, refused: OnceLock::new() });
        steps.send(session, EnableParams::default());
        self.read_frame_tree(session, &steps);
        steps.send(session, SetLifecycleEventsEnabledParams::new(true));
        steps.send(session, attached_kinds(&self.network));
        if let Some(interception) = self.interception() {
            self.send_interception(session, interception, &steps);
        }
        if !self.hidden {
            steps.send(session, EnableRuntimeParams {});
            steps.send(session, EnableLogParams {});
        }
        if self.watches_network() {
            steps.send(session, network_events());
        }
        if self.announced.is_watching() {
            steps.send(session, announcing());
        }
        steps.send(session, page_script());
        if let Some(script) = self.settings.steady.as_ref().filter(|_| !self.hidden) {
            steps.send(session, AddScriptToEvaluateOnNewDocumentParams::new(script.clone()));
        }
        steps.send(session, SetFocusEmulationEnabledParams::new(true));
        steps.send(session, self.settings.user_agent());
        if let Some(timezone) = &self.settings.locale.timezone {
            let command = SetTimezoneOverrideParams::new(timezone.clone());
            steps.set(session, command, "time zone", timezone);
        }
        if let Some(language) = &self.settings.locale.language {
            let command = SetLocaleOverrideParams { locale: Some(language.replace('-', "_")) };
            steps.set(session, command, "language", language);
        }
        if let Some(Geolocation { latitude, longitude, accuracy }) = self.settings.geolocation {
            let command = SetGeolocationOverrideParams::builder();
            steps.send(session, command.latitude(latitude).longitude(longitude).accuracy(accuracy).build());
        }
        if is_page {
            let Viewport { width, height } = self.settings.viewport;
            steps.send(
                session,
                SetDeviceMetricsOverrideParams {
                    screen_width: Some(width.into()),
                    screen_height: Some(height.into()),
                    ..SetDeviceMetricsOverrideParams::new(i64::from(width), i64::from(height), 1.0, false)
                },
            );
        }
        // Each process asks for the choosers of its own frames.
        steps.send(session, SetInterceptFileChooserDialogParams::new(true));
        steps.send(session, RunIfWaitingForDebuggerParams {});
        // The initial count of one keeps early responses from ending the count.
        steps.done();
    }

    /// Enables interception of requests. If the browser refuses it, the page is not confined, so it is closed.
    fn send_interception(
        &self,
        session: &Session,
        interception: EnableFetchParams,
        steps: &Arc<Outstanding>,
    ) {
        steps.left.fetch_add(1, Ordering::Relaxed);
        let (this, steps) = (self.this.clone(), steps.clone());
        session.send_then(interception, move |answer| {
            if let (Err(error @ Error::Refused { .. }), Some(page)) = (answer, this.upgrade()) {
                tracing::warn!("closing {}: its requests cannot be intercepted: {error}", page.target());
                page.request_close();
                steps.refused(error);
            }
            steps.done();
        });
    }

    fn read_frame_tree(&self, session: &Session, steps: &Arc<Outstanding>) {
        steps.left.fetch_add(1, Ordering::Relaxed);
        let (this, home, steps) = (self.this.clone(), session.clone(), steps.clone());
        session.send_then(GetFrameTree {}, move |answer| {
            match (answer, this.upgrade()) {
                (Ok(answer), Some(page)) => page.update(|state| state.take_tree(answer.frame_tree, &home)),
                (Err(error), _) => tracing::debug!("no frame tree: {error}"),
                (Ok(_), None) => {}
            }
            steps.done();
        });
    }
}

impl PageSettings {
    fn user_agent(&self) -> SetUserAgentOverrideParams {
        let brand = |brand: &str, version: &str| UserAgentBrandVersion {
            brand: brand.to_owned(),
            version: version.to_owned(),
        };
        // Without this metadata the browser would send no client hints at all.
        let metadata = UserAgentMetadata {
            brands: Some(vec![
                brand("Chromium", &self.major_version),
                brand("actions", env!("CARGO_PKG_VERSION")),
            ]),
            full_version_list: None,
            platform: if cfg!(target_os = "macos") { "macOS" } else { "Linux" }.to_owned(),
            platform_version: String::new(),
            architecture: if cfg!(target_arch = "aarch64") { "arm" } else { "x86" }.to_owned(),
            model: String::new(),
            mobile: false,
            bitness: Some("64".to_owned()),
            wow64: None,
            form_factors: None,
        };
        SetUserAgentOverrideParams {
            accept_language: self.locale.language.clone(),
            user_agent_metadata: Some(metadata),
            ..SetUserAgentOverrideParams::new(self.user_agent.clone())
        }
    }
}

/// Attaches to what belongs to a page.
///
/// Dedicated workers wait for any client that attaches to frames, so we must attach to workers too. The script of a service
/// worker is requested by the frame that registers it and waits for no other client.
pub(super) fn attached_kinds(network: &Network) -> SetAutoAttachParams {
    let kinds = ["iframe", "worker", "service_worker"];
    auto_attach(if network.concerns_everything() { &kinds[..] } else { &kinds[..2] })
}

/// Runs the page script in every new document, before the document's own scripts.
fn page_script() -> AddScriptToEvaluateOnNewDocumentParams {
    AddScriptToEvaluateOnNewDocumentParams {
        world_name: Some(WORLD.to_owned()),
        run_immediately: Some(true),
        ..AddScriptToEvaluateOnNewDocumentParams::new(script::SOURCE)
    }
}
