//! Pacing of a call: human-visible actions keep their distance, across calls of a session too.

use actions_primitives::Failure;

use super::Run;

impl Run<'_> {
    /// Waits until the next action that a visitor would see may start.
    pub(super) async fn pace(&self) -> Result<(), Failure> {
        let clock = self.stage.clock();
        self.stage.memory().pacing.wait(self.interval, &*clock, || self.deadline()).await
    }
}
