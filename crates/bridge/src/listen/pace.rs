//! Limits how fast the messages of a client are read.

use std::time::Duration;

use tokio::time::Instant;

/// How many messages a second are read in the long run.
const RATE: f64 = 1_000.0;

/// How many messages may come at once.
const BURST: f64 = 4_000.0;

/// A bucket of permits. A client that sends faster waits, which its own connection makes it feel.
pub(super) struct Pace {
    permits: f64,
    at: Instant,
}

impl Pace {
    /// What is reported about a client that is made to wait.
    pub(super) const SENTENCE: &str = "a client sends too many messages; they are read at a limited rate";

    pub(super) fn new() -> Self {
        Self { permits: BURST, at: Instant::now() }
    }

    /// Waits until one more message may be read. Returns whether that took time.
    pub(super) async fn one(&mut self) -> bool {
        let now = Instant::now();
        self.permits = (self.permits + (now - self.at).as_secs_f64() * RATE).min(BURST);
        self.at = now;
        let is_late = self.permits < 1.0;
        if is_late {
            tokio::time::sleep(Duration::from_secs_f64((1.0 - self.permits) / RATE)).await;
        }
        self.permits -= 1.0;
        is_late
    }
}
