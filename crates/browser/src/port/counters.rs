//! What driving a page has cost.

/// What driving a page has cost so far.
///
/// Read the counters before and after something and subtract:
///
/// ```
/// # use actions_browser::Counters;
/// # let (before, after) = (Counters::default(), Counters { commands: 3, round_trips: 1, events: 0 });
/// let cost = after - before;
/// assert_eq!((cost.commands, cost.round_trips), (3, 1)); // Three commands were sent together.
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Commands sent.
    pub commands: u64,
    /// The longest chain of commands in which each command had to wait for the response to an earlier one.
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
