//! Hears what the live regions of a page say.
//!
//! The page script watches the regions and calls a function that exists only in its own world, so the page can neither see
//! nor call it.

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use chromiumoxide_cdp::cdp::js_protocol::runtime::AddBindingParams;
use serde::Deserialize;
use serde_json::json;

use super::ChromiumPage;
use super::prepare::WORLD;
use crate::cdp::Event;
use crate::cut::cut_to;
use crate::{Announcement, Call, Deadline, Error, Frames, Page};

/// The function that the page script calls.
const BINDING: &str = "actions_announce";
/// How many announcements are kept.
const KEPT: usize = 300;
/// The longest text, in characters.
const LONGEST: usize = 1_000;

/// What the live regions of a page said.
#[derive(Debug, Default)]
pub(super) struct Announced {
    log: Mutex<Log>,
}

#[derive(Debug, Default)]
struct Log {
    is_watching: bool,
    kept: VecDeque<Announcement>,
    next: u64,
}

impl Announced {
    fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the page was asked to listen.
    pub(super) fn is_watching(&self) -> bool {
        self.log().is_watching
    }

    /// The kept announcements from a number on.
    pub(super) fn since(&self, number: u64) -> Vec<Announcement> {
        self.log().kept.iter().filter(|kept| kept.number >= number).cloned().collect()
    }
}

/// The command that gives the page script of a session its function.
pub(super) fn announcing() -> AddBindingParams {
    AddBindingParams { execution_context_name: Some(WORLD.to_owned()), ..AddBindingParams::new(BINDING) }
}

impl ChromiumPage {
    /// Lets the page script of every document announce, those of later documents included.
    pub(super) async fn listen_to_live_regions(&self, deadline: Deadline) -> Result<(), Error> {
        self.announced.log().is_watching = true;
        let frames = self.frames();
        let mut bound = BTreeSet::new();
        for frame in &frames {
            let Some(session) = self.frame_session(&frame.id) else { continue };
            if bound.insert(session.id().map(str::to_owned)) {
                match self.answer(session.send(announcing(), deadline)).await {
                    // The process of a frame may end meanwhile.
                    Err(error) if frame.parent.is_none() => return Err(error),
                    _ => {}
                }
            }
        }
        for frame in &frames {
            let nothing = json!({});
            let call = Call::new(&frame.id, "a11y.watch", &nothing).repeatable();
            match (self as &dyn Page).call::<serde_json::Value>(call, deadline).await {
                Err(error) if frame.parent.is_none() => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }

    /// Keeps what the page script announces.
    pub(super) fn note_announcement(&self, event: Event<'_>) {
        let Some(called) = event.read::<BindingCalled>().filter(|called| called.name == BINDING) else {
            return;
        };
        let Ok(said) = serde_json::from_str::<Said>(&called.payload) else { return };
        let heard_ms = self.clock().unix_millis();
        let mut log = self.announced.log();
        let number = log.next;
        log.next += 1;
        if log.kept.len() == KEPT {
            log.kept.pop_front();
        }
        let is_assertive = said.politeness == "assertive";
        log.kept.push_back(Announcement { number, text: cut_to(said.text, LONGEST), is_assertive, heard_ms });
    }
}

#[derive(Deserialize)]
struct BindingCalled {
    name: String,
    payload: String,
}

#[derive(Deserialize)]
struct Said {
    text: String,
    politeness: String,
}
