//! The moment after which a wait is over.

use std::time::{Duration, Instant};

use crate::Clock;

/// The moment after which a wait is over, and how long the whole wait was allowed to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline {
    at: Instant,
    limit: Duration,
}

impl Deadline {
    /// The deadline that lies `limit` after now.
    pub fn after(clock: &dyn Clock, limit: Duration) -> Self {
        // A limit beyond the range of the clock means "as late as the clock can tell".
        let now = clock.now();
        let at = now.checked_add(limit).unwrap_or_else(|| now + Duration::from_secs(u64::from(u32::MAX)));
        Self { at, limit }
    }

    /// The deadline that lies `limit` after a moment that may be past.
    pub fn since(start: Instant, limit: Duration) -> Self {
        let far = || start + Duration::from_secs(u64::from(u32::MAX));
        Self { at: start.checked_add(limit).unwrap_or_else(far), limit }
    }

    /// The moment itself.
    pub fn at(self) -> Instant {
        self.at
    }

    /// How long the whole wait was allowed to take.
    pub fn limit(self) -> Duration {
        self.limit
    }

    /// What is left of the time.
    pub fn remaining(self, clock: &dyn Clock) -> Duration {
        self.at.saturating_duration_since(clock.now())
    }

    /// The deadline that lies `grace` after this one; the wait is still said to be allowed what this one allows.
    #[must_use]
    pub fn later_by(self, grace: Duration) -> Self {
        Self { at: self.at.checked_add(grace).unwrap_or(self.at), ..self }
    }

    /// The deadline that lies `reserve` before this one; the wait is still said to be allowed what this one allows.
    #[must_use]
    pub fn earlier_by(self, reserve: Duration) -> Self {
        Self { at: self.at.checked_sub(reserve).unwrap_or(self.at), ..self }
    }

    /// The earlier of two deadlines.
    #[must_use]
    pub fn or_earlier(self, other: Self) -> Self {
        if other.at < self.at { other } else { self }
    }

    /// The earlier of this deadline and the one that lies `limit` after now.
    #[must_use]
    pub fn at_most(self, clock: &dyn Clock, limit: Duration) -> Self {
        self.or_earlier(Self::after(clock, limit))
    }
}
