//! Waits for the `settle_after` of a step.

use std::time::Duration;

use actions_browser::Deadline;
use actions_dictionary::Dictionary;
use actions_expr::Value as Evaluated;
use actions_primitives::{Failure, perform};
use actions_protocol::{ErrorCode, WireCode};
use actions_trace::{EventKind, Settled};
use serde_json::json;

use super::step_failure::survivable;
use super::{Run, Scope};
use crate::plan::{Settle, Step};

impl Run<'_> {
    /// Waits for the `settle_after` of a step. A wait that times out is reported in the result and is not an error.
    pub(super) async fn settle(
        &self,
        step: &Step,
        scope: &Scope,
        index: Option<usize>,
    ) -> Result<Option<Settled>, Failure> {
        let Some(settle_by) = &step.settle else { return Ok(None) };
        let start = self.now();
        let (ok, reason) = match settle_by {
            Settle::Delay(delay) => {
                let pause = Duration::from_millis(delay.0);
                self.pause(pause, || format!("the `settle_after` of {} ms", delay.0)).await?;
                (true, None)
            }
            Settle::Locator { locator, state, timeout } => {
                let locator = self.fill(locator, scope).map(Evaluated::into_json_or_null)?;
                let limit = Duration::from_millis(timeout.0);
                let left = self.deadline().remaining(&*self.stage.clock());
                let deadline = Deadline::after(&*self.stage.clock(), limit.min(left) + GRACE);
                let timeout_ms = u64::try_from(limit.min(left).as_millis()).unwrap_or(u64::MAX);
                let args = json!({ "locator": locator, "state": state.as_str(), "timeout_ms": timeout_ms });
                let wait_for = Dictionary::builtin().get("locator.wait_for").ok_or_else(|| {
                    Failure::new(ErrorCode::InternalError, "the dictionary has no `locator.wait_for`")
                })?;
                match perform(self.stage, wait_for, args, deadline).await {
                    Ok(_) => (true, None),
                    Err(failure) if !survivable(&failure) => return Err(failure),
                    Err(failure) if failure.code == ErrorCode::Timeout && left < limit => {
                        return Err(Failure { code: ErrorCode::HandlerTimeout, ..failure });
                    }
                    Err(failure) => (false, Some(WireCode::from(failure.code))),
                }
            }
        };
        let settle = Settled { ok, reason, waited_ms: self.millis_since(start) };
        self.emit(EventKind::Settled { step_id: step.id.clone(), index, settle: settle.clone() });
        self.watch()?;
        Ok(Some(settle))
    }
}

/// How long the round trip may take in addition to the wait.
const GRACE: Duration = Duration::from_secs(2);
