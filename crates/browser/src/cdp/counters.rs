//! What talking to the browser cost.

use std::sync::atomic::{AtomicU64, Ordering};

/// What talking to the browser cost so far.
///
/// Take the counters before and after something and subtract:
///
/// ```
/// # use actions_browser::Counters;
/// # let (before, after) = (Counters::default(), Counters { commands: 3, round_trips: 1, events: 0 });
/// let cost = after - before;
/// assert_eq!((cost.commands, cost.round_trips), (3, 1)); // Three commands went out together.
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Commands sent.
    pub commands: u64,
    /// The longest chain of commands in which each had to wait for the answer to one before it.
    pub round_trips: u64,
    /// Events received.
    pub events: u64,
}

impl std::ops::Sub for Counters {
    type Output = Counters;

    fn sub(self, before: Counters) -> Counters {
        Counters {
            commands: self.commands.saturating_sub(before.commands),
            round_trips: self.round_trips.saturating_sub(before.round_trips),
            events: self.events.saturating_sub(before.events),
        }
    }
}

/// The running counts of one page, shared by all its sessions.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    commands: AtomicU64,
    answered_depth: AtomicU64,
    events: AtomicU64,
}

impl Tally {
    /// Counts a command and gives its depth: one more than the deepest answer that was known when it was sent.
    pub(super) fn sent(&self) -> u64 {
        self.commands.fetch_add(1, Ordering::Relaxed);
        self.answered_depth.load(Ordering::Relaxed) + 1
    }

    pub(super) fn answered(&self, depth: u64) {
        self.answered_depth.fetch_max(depth, Ordering::Relaxed);
    }

    pub(super) fn event(&self) {
        self.events.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn counters(&self) -> Counters {
        Counters {
            commands: self.commands.load(Ordering::Relaxed),
            round_trips: self.answered_depth.load(Ordering::Relaxed),
            events: self.events.load(Ordering::Relaxed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_sent_together_are_one_round_trip() {
        let tally = Tally::default();
        let depths = [tally.sent(), tally.sent(), tally.sent()];
        depths.into_iter().for_each(|depth| tally.answered(depth));
        assert_eq!(tally.counters(), Counters { commands: 3, round_trips: 1, events: 0 });
    }

    #[test]
    fn a_command_sent_after_an_answer_is_another_round_trip() {
        let tally = Tally::default();
        let first = tally.sent();
        tally.answered(first);
        let second = tally.sent();
        tally.answered(second);
        assert_eq!(tally.counters().round_trips, 2);
    }
}
