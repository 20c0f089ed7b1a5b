//! The limits of a runtime.

use std::time::Duration;

/// The limits of a runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RuntimeOptions {
    /// A session that no call has used for this long ends.
    pub idle: Duration,
    /// How many sessions may be open at once.
    pub most_sessions: usize,
    /// When a browser has grown old.
    pub retirement: Retirement,
}

impl Default for RuntimeOptions {
    fn default() -> Self {
        Self { idle: Duration::from_secs(30 * 60), most_sessions: 100, retirement: Retirement::default() }
    }
}

impl RuntimeOptions {
    /// Sets after how long without a call a session ends.
    #[must_use]
    pub fn idle(mut self, idle: Duration) -> Self {
        self.idle = idle;
        self
    }

    /// Sets how many sessions may be open at once.
    #[must_use]
    pub fn most_sessions(mut self, most: usize) -> Self {
        self.most_sessions = most;
        self
    }

    /// Sets when a browser has grown old.
    #[must_use]
    pub fn retirement(mut self, retirement: Retirement) -> Self {
        self.retirement = retirement;
        self
    }
}

/// When a browser has grown old. New sessions then open in a new browser, and the old one closes when its last session has
/// ended. A session never changes its browser, because its pages would be lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Retirement {
    /// After this time.
    pub age: Duration,
    /// After this many sessions.
    pub sessions: u64,
    /// When its processes use this much memory, in bytes.
    pub memory: u64,
}

impl Default for Retirement {
    fn default() -> Self {
        Self { age: Duration::from_secs(12 * 60 * 60), sessions: 1_000, memory: 4 << 30 }
    }
}

impl Retirement {
    /// Sets the age.
    #[must_use]
    pub fn age(mut self, age: Duration) -> Self {
        self.age = age;
        self
    }

    /// Sets the number of sessions.
    #[must_use]
    pub fn sessions(mut self, sessions: u64) -> Self {
        self.sessions = sessions;
        self
    }

    /// Sets the memory in bytes.
    #[must_use]
    pub fn memory(mut self, memory: u64) -> Self {
        self.memory = memory;
        self
    }
}
