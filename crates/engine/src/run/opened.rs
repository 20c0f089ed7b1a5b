//! Reports the pages that the page of a call opens.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use actions_primitives::{Stage, Tab};
use actions_trace::EventKind;
use serde_json::{Value, json};

use super::Run;

/// How long a step waits for a page that it opened to be ready. A page that takes longer is reported by a later step.
const READY: Duration = Duration::from_secs(2);

/// The tabs of the session that a call has seen.
#[derive(Debug, Default)]
pub(crate) struct Opened {
    known: Mutex<BTreeSet<u64>>,
}

impl Opened {
    /// The tabs that are open when a call begins.
    pub(super) fn before(stage: &Stage) -> Self {
        let known = tabs(stage).into_iter().map(|tab| tab.id).collect();
        Self { known: Mutex::new(known) }
    }

    /// The tabs that the page of the stage has opened since the last look.
    fn take(&self, stage: &Stage) -> Vec<Tab> {
        let own = stage.page().main_frame();
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let new = tabs(stage).into_iter().filter(|tab| known.insert(tab.id));
        new.filter(|tab| tab.page.opener() == Some(own.clone())).collect()
    }
}

fn tabs(stage: &Stage) -> Vec<Tab> {
    stage.services().tabs().map(|tabs| tabs.list()).unwrap_or_default()
}

impl Run<'_> {
    /// Emits the pages that a primitive opened, and returns them as its output shows them. Waits until they can be driven.
    pub(super) async fn report_opened(&self) -> Vec<Value> {
        let until = self.deadline().at().min(self.now() + READY);
        let left = until.saturating_duration_since(self.now());
        let clock = self.stage.clock();
        self.stage.page().settle_opened(actions_browser::Deadline::after(&*clock, left)).await;
        self.emit_opened()
    }

    /// Like [`report_opened`](Self::report_opened), without waiting.
    pub(super) fn emit_opened(&self) -> Vec<Value> {
        let shown = |tab: Tab| {
            let url = tab.page.url();
            self.emit(EventKind::PageOpened {
                runtime_id: tab.runtime_id.clone(),
                url: self.secrets.mask(url.as_str()),
            });
            json!({ "page": tab.id, "runtime_id": tab.runtime_id, "url": url })
        };
        self.opened.take(self.stage).into_iter().map(shown).collect()
    }
}
