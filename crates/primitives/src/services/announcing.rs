//! How the announcements of live regions reach a subscriber.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use actions_browser::{Announcement, FrameId, Page};
use serde::{Deserialize, Serialize};

/// The most announcements that come along with one result, and the longest text of all of them, in characters.
const MOST_INJECTED: usize = 5;
const LONGEST_INJECTED: usize = 1_200;

/// What happens to an announcement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Delivery {
    /// It comes along with the next result, and can be read later.
    Inject,
    /// It can be read later.
    Buffer,
    /// It is dropped.
    Off,
}

/// How announcements reach a subscriber, by their urgency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Deliveries {
    pub(crate) assertive: Delivery,
    pub(crate) polite: Delivery,
}

impl Default for Deliveries {
    /// Without a subscription, announcements can be read.
    fn default() -> Self {
        Self { assertive: Delivery::Buffer, polite: Delivery::Buffer }
    }
}

impl Deliveries {
    pub(crate) fn of(self, announcement: &Announcement) -> Delivery {
        if announcement.is_assertive { self.assertive } else { self.polite }
    }
}

/// The subscriptions of a session, and what has come along with results.
#[derive(Debug, Default)]
pub struct Announcing {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// By page.
    deliveries: BTreeMap<FrameId, Deliveries>,
    /// By page, the number of the first announcement that has not come along with a result.
    injected: BTreeMap<FrameId, u64>,
}

impl Announcing {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets how announcements of a page reach the caller. Those so far do not come along with results.
    pub(crate) fn set(&self, page: &dyn Page, deliveries: Deliveries) {
        let next = page.announcements(0).last().map_or(0, |last| last.number + 1);
        let mut state = self.state();
        state.deliveries.insert(page.main_frame(), deliveries);
        state.injected.insert(page.main_frame(), next);
    }

    pub(crate) fn of(&self, page: &dyn Page) -> Deliveries {
        self.state().deliveries.get(&page.main_frame()).copied().unwrap_or_default()
    }

    /// The announcements of a page that come along with a result now. Each comes along once.
    pub fn take(&self, page: &dyn Page) -> Vec<Announcement> {
        let mut state = self.state();
        let frame = page.main_frame();
        let Some(deliveries) = state.deliveries.get(&frame).copied() else { return Vec::new() };
        let since = state.injected.get(&frame).copied().unwrap_or_default();
        let mut taken = Vec::new();
        let mut left = LONGEST_INJECTED;
        for announcement in page.announcements(since) {
            let length = announcement.text.chars().count();
            let injects = deliveries.of(&announcement) == Delivery::Inject;
            if injects && (taken.len() == MOST_INJECTED || length > left) {
                break;
            }
            state.injected.insert(frame.clone(), announcement.number + 1);
            if injects {
                left -= length;
                taken.push(announcement);
            }
        }
        taken
    }
}
