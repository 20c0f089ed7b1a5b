use std::time::Instant;

use actions_dictionary::Primitive;
use actions_primitives::Failure;
use tokio::sync::Mutex;

use super::Run;

/// Keeps human-visible primitives apart, those of one call and of the next.
#[derive(Debug, Default)]
pub(crate) struct Pacer {
    last: Mutex<Option<Instant>>,
}

impl Pacer {
    /// Waits until the primitive may start.
    pub(super) async fn wait(&self, run: &Run<'_>, primitive: &Primitive) -> Result<(), Failure> {
        if !primitive.human_visible {
            return Ok(());
        }
        self.pause(run).await
    }

    /// Waits until something a visitor would see may start.
    pub(super) async fn pause(&self, run: &Run<'_>) -> Result<(), Failure> {
        let mut last = self.last.lock().await;
        if let Some(last) = last.filter(|_| !run.interval.is_zero()) {
            let left = (last + run.interval).saturating_duration_since(run.now());
            run.pause(left, || format!("{:?} between two things a visitor would see", run.interval)).await?;
        }
        *last = Some(run.now());
        Ok(())
    }
}
