use std::time::{Duration, Instant};

use crate::scene::Scene;

/// How long a primitive may wait for the page to let it act: its own `timeout_ms`, but no longer than the call has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    until: Instant,
}

impl Patience {
    /// From now on, for as long as the primitive's own time.
    pub(crate) fn of(scene: &Scene<'_>, timeout_ms: u64) -> Self {
        let time = Duration::from_millis(timeout_ms).min(scene.left_for_the_page());
        Self { until: scene.stage.clock().now() + time }
    }

    /// For as long as the call has.
    pub(crate) fn of_call(scene: &Scene<'_>) -> Self {
        Self { until: scene.stage.clock().now() + scene.left_for_the_page() }
    }

    /// What is left of it.
    pub(crate) fn left(self, scene: &Scene<'_>) -> Duration {
        self.until.saturating_duration_since(scene.stage.clock().now())
    }

    /// What is left of it, in milliseconds.
    pub(crate) fn left_ms(self, scene: &Scene<'_>) -> u64 {
        u64::try_from(self.left(scene).as_millis()).unwrap_or(u64::MAX)
    }
}
