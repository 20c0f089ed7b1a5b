//! Counts the commands, round trips and events of one page.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::Counters;

/// The running counts of one page, shared by all its sessions.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    commands: AtomicU64,
    answered_depth: AtomicU64,
    events: AtomicU64,
}

impl Tally {
    /// Counts a command and returns its depth: one more than the deepest command answered so far.
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
