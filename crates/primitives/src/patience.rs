//! The time limit of a wait for the page: the primitive's own `timeout_ms`, within the deadline of the call.

use std::time::{Duration, Instant};

use crate::scene::Scene;

/// The time limit of a wait for the page: the primitive's own `timeout_ms`, within the deadline of the call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    until: Instant,
}

impl Patience {
    /// Starts now and ends after `timeout_ms`, or earlier with the call.
    pub(crate) fn of(scene: &Scene<'_>, timeout_ms: u64) -> Self {
        let time = Duration::from_millis(timeout_ms).min(scene.left_for_the_page());
        Self { until: scene.stage.clock().now() + time }
    }

    /// Ends with the call.
    pub(crate) fn of_call(scene: &Scene<'_>) -> Self {
        Self { until: scene.stage.clock().now() + scene.left_for_the_page() }
    }

    /// The remaining time.
    pub(crate) fn left(self, scene: &Scene<'_>) -> Duration {
        self.until.saturating_duration_since(scene.stage.clock().now())
    }

    /// The remaining time in milliseconds.
    pub(crate) fn left_ms(self, scene: &Scene<'_>) -> u64 {
        u64::try_from(self.left(scene).as_millis()).unwrap_or(u64::MAX)
    }
}
