//! Makes sure that a tool is called where one of its transitions starts.

use actions_protocol::ErrorCode;
use actions_trace::{EventKind, Moment};
use serde_json::{Value, json};

use super::Run;
use crate::failure::CallError;
use crate::plan::{Plan, Precondition, TransitionPlan};
use crate::probe::{Look, Wait};

/// Whether a transition starts where the page is.
#[derive(Debug)]
enum Start {
    /// As far as anything is known.
    Here,
    /// None of the states it starts in is current.
    Elsewhere,
    /// These preconditions do not hold.
    Unmet(Vec<String>),
}

impl Run<'_> {
    /// Waits until one of the transitions of a tool starts where the page is, and returns those that do. A tool without
    /// transitions may be called anywhere.
    ///
    /// A state without diagnostics is unknown, not absent: it never refuses a call, and the event says so.
    pub(super) async fn departs<'p>(
        &self,
        plan: &'p Plan,
        input: &Value,
    ) -> Result<Vec<&'p TransitionPlan>, CallError> {
        if plan.transitions.is_empty() || plan.is_static() {
            return Ok(Vec::new());
        }
        let prober = self.prober();
        let begun = self.now();
        let names = self.asked_for(&plan.transitions);
        let mut last = Vec::new();
        let waited = prober
            .wait_until(&names, self.patience(), |look| {
                let starts = plan.transitions.iter().map(|one| Ok((one, self.starts(one, look, input)?)));
                last = starts.collect::<Result<Vec<_>, CallError>>()?;
                let here: Vec<_> = last.iter().filter(|(_, start)| matches!(start, Start::Here)).collect();
                let here: Vec<_> = here.into_iter().map(|(transition, _)| *transition).collect();
                Ok::<_, CallError>((!here.is_empty()).then(|| (here, look.clone())))
            })
            .await?;
        let code = match waited {
            Wait::Met((here, look)) => {
                let required = states(&here, |one| &one.from);
                let known = required.iter().any(|name| look.is_unknown(name));
                self.emit(EventKind::StatesChecked {
                    moment: Moment::Before,
                    transitions: here.iter().map(|one| one.name.clone()).collect(),
                    current: required.iter().filter(|name| look.is_current(name)).cloned().collect(),
                    unknown: required.iter().filter(|name| look.is_unknown(name)).cloned().collect(),
                    ok: (required.is_empty() || required.iter().any(|name| look.is_current(name)))
                        .then_some(true)
                        .or((!known).then_some(false)),
                    required,
                    waited_ms: self.millis_since(begun),
                });
                return Ok(here);
            }
            Wait::Unmet => ErrorCode::StateMismatch,
            Wait::CutShort => ErrorCode::HandlerTimeout,
        };
        let error = refusal(plan, code, &last).with_evidence("url", self.stage.page().url());
        if code == ErrorCode::HandlerTimeout {
            return Err(error);
        }
        let seen = prober.all_states().await?;
        Err(error.with_evidence("current", seen.current))
    }

    /// The states that decide about these transitions: all of them if an expression may read them.
    fn asked_for<'s>(&'s self, transitions: &'s [TransitionPlan]) -> Vec<&'s str> {
        if transitions.iter().any(TransitionPlan::reads_states) {
            return self.plans.states().iter().map(|state| state.name.as_str()).collect();
        }
        let named = transitions.iter().flat_map(|one| {
            let from = one.from.iter().map(String::as_str);
            from.chain(one.required_states())
        });
        named.collect()
    }

    fn starts(&self, transition: &TransitionPlan, look: &Look, input: &Value) -> Result<Start, CallError> {
        let may_be = |name: &str| look.is_current(name) || look.is_unknown(name);
        if !transition.from.is_empty() && !transition.from.iter().any(|name| may_be(name)) {
            return Ok(Start::Elsewhere);
        }
        let mut unmet = Vec::new();
        for condition in &transition.preconditions {
            let holds = match condition {
                Precondition::Words(_) => true,
                Precondition::State(name) => may_be(name),
                Precondition::Expression(expression) => {
                    let seen = look.seen(self.plans.states());
                    let scope = json!({ "input": input, "states": seen.current, "url": seen.url });
                    let holds = self.holds(expression, &scope).map_err(CallError::from);
                    holds.map_err(|error| error.at(&transition.place))?
                }
            };
            if !holds {
                unmet.push(condition.source());
            }
        }
        Ok(if unmet.is_empty() { Start::Here } else { Start::Unmet(unmet) })
    }
}

/// The states of several transitions, each once.
pub(super) fn states(transitions: &[&TransitionPlan], of: fn(&TransitionPlan) -> &[String]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in transitions.iter().flat_map(|one| of(one)) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

/// The error of a tool none of whose transitions starts here.
fn refusal(plan: &Plan, code: ErrorCode, starts: &[(&TransitionPlan, Start)]) -> CallError {
    let transitions: Vec<&TransitionPlan> = plan.transitions.iter().collect();
    let required = states(&transitions, |one| &one.from);
    let unmet: Vec<String> = starts
        .iter()
        .flat_map(|(_, start)| match start {
            Start::Unmet(unmet) => unmet.as_slice(),
            Start::Here | Start::Elsewhere => &[],
        })
        .cloned()
        .collect();
    let message = match (unmet.first(), required.as_slice()) {
        (Some(condition), _) => {
            format!("`{}` may not start here: its precondition `{condition}` does not hold", plan.name)
        }
        (None, [only]) => format!("`{}` starts from the state `{only}`, which is not current", plan.name),
        (None, _) => format!("`{}` starts from one of several states; none of them is current", plan.name),
    };
    let place = match plan.transitions.as_slice() {
        [only] => &only.place,
        _ => &plan.place,
    };
    let names: Vec<&str> = plan.transitions.iter().map(|one| one.name.as_str()).collect();
    let error = CallError::new(code, message)
        .at(place)
        .with_evidence("transitions", json!(names))
        .with_evidence("required", required);
    if unmet.is_empty() { error } else { error.with_evidence("preconditions", unmet) }
}
