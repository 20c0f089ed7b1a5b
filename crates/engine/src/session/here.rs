//! What is true of the current page: its states, the documentation that applies, what can be done, and whether a
//! restored login still holds.

use std::time::Duration;

use actions_browser::Deadline;
use actions_primitives::{ListedPageTool, page_tools};
use actions_protocol::{ErrorCode, Millis};
use futures_util::FutureExt;

use super::{Session, StateOptions};
use crate::failure::CallError;
use crate::here::{ContextBlock, Contexts, HereListing, list};
use crate::probe::{Prober, SeenStates, Wait};
use crate::run::{as_lost_call, lost};

/// None of these changes the page. Each takes one round trip, or none if the address of the page decides everything.
impl Session {
    /// The states of the map that are current on the page. States without diagnostics are unknown.
    ///
    /// ```no_run
    /// # async fn example(session: actions_engine::Session) -> Result<(), actions_engine::CallError> {
    /// let states = session.current_states(None).await?;
    /// println!("{}: {}", states.url, states.current.join(", "));
    /// # Ok(())
    /// # }
    /// ```
    pub async fn current_states(&self, timeout: Option<Millis>) -> Result<SeenStates, CallError> {
        let turn = self.reading_turn(within(timeout)).await?;
        let prober =
            Prober { stage: &turn.stage, states: self.engine.plans.states(), deadline: turn.deadline };
        prober.all_states().await.map_err(|failure| as_lost_call(failure.into()))
    }

    /// The context blocks that apply to the page, its states and the words of a task. They are documentation: they permit
    /// nothing, and a block that is not shown forbids nothing.
    pub async fn context(
        &self,
        task: Option<&str>,
        timeout: Option<Millis>,
    ) -> Result<Vec<ContextBlock>, CallError> {
        let turn = self.reading_turn(within(timeout)).await?;
        let plans = &self.engine.plans;
        let prober = Prober { stage: &turn.stage, states: plans.states(), deadline: turn.deadline };
        let contexts = Contexts::at(plans, &turn.stage.page().url());
        let states = contexts.states();
        let look = prober.look(states.iter().map(String::as_str), &contexts.probes()).await;
        let look = look.map_err(|failure| as_lost_call(failure.into()))?;
        Ok(contexts.seen(&look, task))
    }

    /// Every tool with whether it applies to the page now, the transitions, the states and the documentation.
    pub async fn listing(
        &self,
        task: Option<&str>,
        timeout: Option<Millis>,
    ) -> Result<HereListing, CallError> {
        let turn = self.reading_turn(within(timeout)).await?;
        let prober =
            Prober { stage: &turn.stage, states: self.engine.plans.states(), deadline: turn.deadline };
        list(&self.engine, &prober, task).await.map_err(|failure| as_lost_call(failure.into()))
    }

    /// The tools that the page has registered itself, for the primitive `webmcp.call_tool`. What they say is the page's word.
    pub async fn page_tools(&self, timeout: Option<Millis>) -> Result<Vec<ListedPageTool>, CallError> {
        let turn = self.reading_turn(within(timeout)).await?;
        let tools = page_tools(&turn.stage, turn.deadline).await;
        tools.map_err(|failure| as_lost_call(failure.into()))
    }

    /// The tools of the page for a listing, which waits for no call: none while one runs there, or if the page does not
    /// answer.
    pub(super) async fn page_tools_if_free(&self, timeout: Millis) -> Vec<ListedPageTool> {
        let turn = self.reading_turn(within(Some(timeout))).now_or_never();
        let Some(Ok(turn)) = turn else { return Vec::new() };
        page_tools(&turn.stage, turn.deadline).await.unwrap_or_default()
    }

    /// Makes sure that a restored login still holds: waits until the state that the map declares as
    /// `x_actions.auth_check` is current. Fails with `auth_lost` if it does not come. A map that declares none says
    /// nothing about logins, and the check succeeds.
    pub async fn check_auth(&self, timeout: Option<Millis>) -> Result<(), CallError> {
        self.check_auth_until(self.deadline(timeout)).await
    }

    pub(super) async fn check_auth_until(&self, deadline: Deadline) -> Result<(), CallError> {
        let login = self.engine.plans.login();
        let Some(wanted) = &login.auth_check else { return Ok(()) };
        let turn = self.turn(deadline).await?;
        let stage = self.stage_on(&turn.page);
        let prober = Prober { stage: &stage, states: self.engine.plans.states(), deadline };
        let patience = Duration::from_millis(self.engine.limits().precondition_timeout.0);
        let waited = prober.wait_for_state(wanted, patience).await;
        let code = match waited.map_err(|failure| as_lost_call(failure.into()))? {
            Wait::Met(()) => return Ok(()),
            Wait::Unmet => ErrorCode::AuthLost,
            Wait::CutShort => ErrorCode::HandlerTimeout,
        };
        let url = stage.page().url();
        let message =
            format!("the session is not signed in: `{wanted}`, the `auth_check` of the map, is not current");
        let error = CallError::new(code, message).with_evidence("state", wanted.as_str());
        if code == ErrorCode::HandlerTimeout {
            return Err(error.with_evidence("url", url));
        }
        let seen = prober.all_states().await.map_err(|failure| as_lost_call(failure.into()))?;
        let shown = login.login_states.iter().find(|state| seen.current.contains(state));
        let error =
            shown.map_or(error, |state| lost(state, &url, None).with_evidence("required", wanted.as_str()));
        Err(error.with_evidence("url", url).with_evidence("current", seen.current))
    }
}

fn within(timeout: Option<Millis>) -> StateOptions {
    StateOptions { timeout, ..StateOptions::default() }
}
