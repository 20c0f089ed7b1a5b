use std::time::Duration;

use actions_browser::Deadline;
use actions_dictionary::Dictionary;
use actions_expr::Value as Evaluated;
use actions_primitives::{Failure, perform};
use actions_protocol::ErrorCode;
use serde_json::json;

use super::{Run, Scope};
use crate::event::Settled;
use crate::plan::{Settle, Step};

impl Run<'_> {
    /// Waits for what a step says it settles by. Running out of time is told, not an error.
    pub(super) async fn settle(&self, step: &Step, scope: &Scope) -> Result<Option<Settled>, Failure> {
        let Some(settle) = &step.settle else { return Ok(None) };
        let start = self.now();
        let (ok, reason) = match settle {
            Settle::Delay(pause) => {
                self.sleep(Duration::from_millis(pause.0)).await;
                (true, None)
            }
            Settle::Locator { locator, state, timeout } => {
                let locator = self.fill(locator, scope).map(Evaluated::into_json_or_null)?;
                let limit = Duration::from_millis(timeout.0);
                let left = self.deadline.at().saturating_duration_since(self.now());
                let deadline = Deadline::after(&*self.stage.clock(), limit.min(left) + GRACE);
                let args = json!({ "locator": locator, "state": state.as_str(), "timeout_ms": limit.min(left).as_millis() as u64 });
                let wait_for = Dictionary::builtin().get("locator.wait_for").ok_or_else(|| {
                    Failure::new(ErrorCode::InternalError, "the dictionary has no `locator.wait_for`")
                })?;
                match perform(self.stage, wait_for, args, deadline).await {
                    Ok(_) => (true, None),
                    Err(failure) if !Self::survivable(&failure) => return Err(failure),
                    Err(failure) if failure.code == ErrorCode::Timeout => (false, Some("timeout")),
                    Err(failure) => (false, Some(failure.code.as_str())),
                }
            }
        };
        Ok(Some(Settled { ok, reason, waited_ms: self.millis_since(start) }))
    }
}

/// What the way to the page and back may take beyond the wait itself.
const GRACE: Duration = Duration::from_secs(2);
