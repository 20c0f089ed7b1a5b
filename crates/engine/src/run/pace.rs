use std::time::{Duration, Instant};

use actions_dictionary::Primitive;
use tokio::sync::Mutex;

use super::Run;

/// Keeps human-visible primitives apart.
#[derive(Debug)]
pub(crate) struct Pacer {
    interval: Duration,
    last: Mutex<Option<Instant>>,
}

impl Pacer {
    pub(crate) fn new(interval: Duration) -> Self {
        Self { interval, last: Mutex::new(None) }
    }

    /// Waits until the primitive may start.
    pub(crate) async fn wait(&self, run: &Run<'_>, primitive: &Primitive) {
        if self.interval.is_zero() || !primitive.human_visible {
            return;
        }
        let mut last = self.last.lock().await;
        if let Some(last) = *last {
            let due = last + self.interval;
            run.sleep(due.saturating_duration_since(run.now())).await;
        }
        *last = Some(run.now());
    }
}
