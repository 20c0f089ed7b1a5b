//! Looks at where a tool has brought the page: to a state of its transitions, or to the login page.

use std::time::Duration;

use actions_primitives::Failure;
use actions_protocol::ErrorCode;
use actions_trace::{EventKind, Moment};
use serde_json::Value;

use super::Run;
use super::departure::states;
use crate::failure::CallError;
use crate::plan::{Plan, TransitionPlan};
use crate::probe::{Look, Wait};

/// What a call found out about the states its transitions lead to.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Arrival {
    /// The transitions that started where the page was.
    pub transitions: Vec<String>,
    /// The states they lead to, any of them.
    pub expected: Vec<String>,
    /// Those of them that were current at the end.
    pub current: Vec<String>,
    /// Those of which nothing is known.
    pub unknown: Vec<String>,
    /// Whether one was reached; absent if nothing is known of any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reached: Option<bool>,
}

impl Run<'_> {
    /// Reports whether the page has come to a state that the transitions lead to, and turns the result into `auth_lost`
    /// if it shows the login page instead.
    ///
    /// A state that did not come is no failure by itself: a map that promises it says so by a postcondition. An error of
    /// the look changes nothing about the result.
    pub(super) async fn arrived(
        &self,
        plan: &Plan,
        departed: &[&TransitionPlan],
        result: Result<Value, CallError>,
    ) -> Result<Value, CallError> {
        if plan.is_static() || result.as_ref().is_err_and(|error| error.code.ends_call()) {
            return result;
        }
        let expected = match &result {
            Ok(_) => states(departed, |one| &one.to),
            Err(_) => Vec::new(),
        };
        let login = self.login_states(plan);
        if expected.is_empty() && login.is_empty() {
            return result;
        }
        let begun = self.now();
        let Ok(look) = self.look_after(&expected, &login).await else { return result };
        if !expected.is_empty() {
            let arrival = arrival(departed, expected, &look);
            self.emit(EventKind::StatesChecked {
                moment: Moment::After,
                transitions: arrival.transitions.clone(),
                required: arrival.expected.clone(),
                current: arrival.current.clone(),
                unknown: arrival.unknown.clone(),
                ok: arrival.reached,
                waited_ms: self.millis_since(begun),
            });
            if self.depth == 0 {
                self.progress.set_arrival(arrival);
            }
        }
        match login.into_iter().find(|name| look.is_current(name)) {
            Some(state) => Err(lost(state, &look.url, result.err())),
            None => result,
        }
    }

    /// Looks until an expected state or a login state is current, or until it has waited long enough.
    async fn look_after(&self, expected: &[String], login: &[&str]) -> Result<Look, Failure> {
        let mut names: Vec<&str> = expected.iter().map(String::as_str).collect();
        names.extend(login);
        // Only a state that can be recognised is worth waiting for.
        let can_come = |look: &Look| expected.iter().any(|name| !look.is_unknown(name));
        let patience = Duration::from_millis(self.limits.arrival_timeout.0);
        let mut last = None;
        let waited = self
            .prober()
            .wait_until(&names, patience, |look| {
                last = Some(look.clone());
                let is_there = names.iter().any(|name| look.is_current(name));
                Ok::<_, Failure>((is_there || !can_come(look)).then_some(()))
            })
            .await;
        match (waited, last) {
            (Ok(Wait::Met(()) | Wait::Unmet | Wait::CutShort), Some(look)) => Ok(look),
            (Err(failure), _) => Err(failure),
            (Ok(_), None) => Err(Failure::new(ErrorCode::HandlerTimeout, "the states after the call")),
        }
    }

    /// The states that mean a lost login to a call of this tool. A tool that says that it starts on the login page, or
    /// that it leads there, has not lost its login there. Tools that a step calls leave the decision to the outer call. A
    /// call of a primitive by itself promises nothing about logins: it may be how a person signs in.
    fn login_states(&self, plan: &Plan) -> Vec<&str> {
        if self.depth > 0 || self.plans.manifest.tool(plan.name.as_str()).is_none() {
            return Vec::new();
        }
        let belongs = |state: &String| {
            let target = plan.target.as_ref().and_then(|target| target.state.as_ref());
            target == Some(state)
                || plan.transitions.iter().any(|one| one.from.contains(state) || one.to.contains(state))
        };
        let states = self.plans.login().login_states.iter();
        states.filter(|state| !belongs(state)).map(String::as_str).collect()
    }
}

fn arrival(departed: &[&TransitionPlan], expected: Vec<String>, look: &Look) -> Arrival {
    let those = |keep: fn(&Look, &str) -> bool| -> Vec<String> {
        expected.iter().filter(|name| keep(look, name)).cloned().collect()
    };
    let (current, unknown) = (those(Look::is_current), those(Look::is_unknown));
    let reached = match (current.is_empty(), unknown.is_empty()) {
        (false, _) => Some(true),
        (true, true) => Some(false),
        (true, false) => None,
    };
    let transitions = departed.iter().map(|one| one.name.clone()).collect();
    Arrival { transitions, expected, current, unknown, reached }
}

/// The error of a session whose page shows a login state.
pub(crate) fn lost(state: &str, url: &str, cause: Option<CallError>) -> CallError {
    let message =
        format!("the session is not signed in: the page shows `{state}`, the login state of the map");
    let error =
        CallError::new(ErrorCode::AuthLost, message).with_evidence("state", state).with_evidence("url", url);
    let Some(cause) = cause else { return error };
    CallError {
        step: cause.step,
        place: cause.place,
        mutated: cause.mutated,
        cause: Some(Box::new(Failure { code: cause.code, message: cause.message, evidence: cause.evidence })),
        ..error
    }
}
