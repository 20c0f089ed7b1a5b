//! The port of time, so that tests control the clock.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use futures_util::future::BoxFuture;
use tokio::sync::watch;

/// A clock with a timer.
pub trait Clock: Send + Sync + Debug {
    /// The current time.
    fn now(&self) -> Instant;

    /// The current wall clock time, in milliseconds since the Unix epoch.
    fn unix_millis(&self) -> u64;

    /// Completes at the given time.
    fn sleep_until(&self, moment: Instant) -> BoxFuture<'static, ()>;
}

/// The system clock with tokio's timer.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn unix_millis(&self) -> u64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    }

    fn sleep_until(&self, moment: Instant) -> BoxFuture<'static, ()> {
        Box::pin(tokio::time::sleep_until(moment.into()))
    }
}

/// A clock that moves only when a test advances it. It starts on 1 January 2026.
///
/// ```
/// use actions_browser::{Clock, TestClock};
/// use std::time::Duration;
///
/// let clock = TestClock::new();
/// let start = clock.now();
/// clock.advance(Duration::from_secs(3));
/// assert_eq!(clock.now() - start, Duration::from_secs(3));
/// ```
#[derive(Clone, Debug)]
pub struct TestClock {
    now: Arc<watch::Sender<Instant>>,
    start: Instant,
}

impl TestClock {
    /// Creates a clock.
    pub fn new() -> Self {
        let start = Instant::now();
        Self { now: Arc::new(watch::Sender::new(start)), start }
    }

    /// Moves the clock forward and completes the sleeps that are due.
    pub fn advance(&self, by: Duration) {
        self.now.send_modify(|now| *now += by);
    }
}

impl Default for TestClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for TestClock {
    fn now(&self) -> Instant {
        *self.now.borrow()
    }

    fn unix_millis(&self) -> u64 {
        const START: u64 = 1_767_225_600_000;
        START + u64::try_from((self.now() - self.start).as_millis()).unwrap_or(0)
    }

    fn sleep_until(&self, moment: Instant) -> BoxFuture<'static, ()> {
        let mut now = self.now.subscribe();
        Box::pin(async move {
            // The clock holds the sender. If all its clones are dropped, time never advances again.
            if now.wait_for(|now| *now >= moment).await.is_err() {
                std::future::pending::<()>().await;
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_sleep_on_the_test_clock_completes_when_it_is_due() {
        let clock = TestClock::new();
        let moment = clock.now() + Duration::from_secs(10);
        let sleeper = tokio::spawn(clock.sleep_until(moment));
        clock.advance(Duration::from_secs(9));
        tokio::task::yield_now().await;
        assert!(!sleeper.is_finished());
        clock.advance(Duration::from_secs(1));
        sleeper.await.unwrap();
    }
}
