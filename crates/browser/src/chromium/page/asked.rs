//! Functions that the page is given, and that ask their driver.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use chromiumoxide_cdp::cdp::browser_protocol::page::AddScriptToEvaluateOnNewDocumentParams;
use chromiumoxide_cdp::cdp::js_protocol::runtime::AddBindingParams;
use serde::Deserialize;

use super::ChromiumPage;
use super::reports::Rate;
use crate::cdp::{Event, Session};
use crate::{Deadline, Error, Offer, PageEvent};

/// The longest question of a page, in bytes.
const LONGEST: usize = 1 << 20;

/// What the page was given.
#[derive(Default)]
pub(super) struct Given {
    state: Mutex<GivenState>,
}

#[derive(Default)]
struct GivenState {
    /// The names of the functions.
    bindings: Vec<&'static str>,
    /// A page may ask again and again.
    rate: Rate,
}

impl ChromiumPage {
    /// Gives functions to the main document, now and to later ones. What was given before stays.
    pub(super) async fn give(&self, offer: Offer, deadline: Deadline) -> Result<(), Error> {
        {
            let mut state = self.given.state.lock().unwrap_or_else(PoisonError::into_inner);
            if state.bindings.contains(&offer.binding) {
                return Ok(());
            }
            state.bindings.push(offer.binding);
        }
        self.session.send(AddBindingParams::new(offer.binding), deadline).await?;
        // A script at the start of a document takes no arguments, so its configuration stands behind it as a JSON literal.
        let command = AddScriptToEvaluateOnNewDocumentParams {
            run_immediately: Some(true),
            ..AddScriptToEvaluateOnNewDocumentParams::new(format!("({})({})", offer.script, offer.config))
        };
        self.session.send(command, deadline).await.map(drop)
    }

    /// Emits what the page asks.
    pub(super) fn asked(&self, session: &Session, event: Event<'_>) {
        if !session.is_same(&self.session) {
            return;
        }
        let Some(called) = event.read::<BindingCalled>().filter(|called| called.payload.len() <= LONGEST)
        else {
            return;
        };
        let mut state = self.given.state.lock().unwrap_or_else(PoisonError::into_inner);
        let is_ours = state.bindings.contains(&called.name.as_str());
        if !is_ours || state.rate.pass(Instant::now()).is_none() {
            return;
        }
        drop(state);
        self.emit(PageEvent::Asked { binding: called.name, payload: called.payload });
    }
}

#[derive(Deserialize)]
struct BindingCalled {
    name: String,
    payload: String,
}
