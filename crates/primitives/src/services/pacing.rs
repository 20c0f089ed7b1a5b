//! Keeps actions that a visitor would see apart in time.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use actions_browser::{Clock, Deadline};
use actions_protocol::{ErrorCode, Millis};
use tokio::sync::Mutex;

use crate::Failure;

/// The least time from the start of one human-visible action of a session to the start of the next.
#[derive(Debug, Default)]
pub struct Pacing {
    interval_ms: AtomicU64,
    last: Mutex<Option<Instant>>,
}

impl Pacing {
    /// Pacing with this interval; zero turns it off.
    pub fn new(interval: Millis) -> Self {
        Self { interval_ms: AtomicU64::new(interval.0), last: Mutex::default() }
    }

    /// The interval.
    pub fn interval(&self) -> Millis {
        Millis(self.interval_ms.load(Ordering::Relaxed))
    }

    /// Sets the interval and returns the one before.
    pub fn set_interval(&self, interval: Millis) -> Millis {
        Millis(self.interval_ms.swap(interval.0, Ordering::Relaxed))
    }

    /// Waits until the next human-visible action may start, and counts it as started. `at_least` applies when it is
    /// longer than the interval of the session.
    pub async fn wait(
        &self,
        at_least: Duration,
        clock: &dyn Clock,
        deadline: impl Fn() -> Deadline,
    ) -> Result<(), Failure> {
        let interval = at_least.max(Duration::from_millis(self.interval().0));
        let mut last = self.last.lock().await;
        if let Some(last) = last.filter(|_| !interval.is_zero()) {
            let start = last + interval;
            clock.sleep_until(start.min(deadline().at())).await;
            if start > deadline().at() {
                let message =
                    format!("the pause of {interval:?} between two actions that a visitor would see");
                return Err(Failure::new(ErrorCode::HandlerTimeout, message));
            }
        }
        *last = Some(clock.now());
        Ok(())
    }
}
