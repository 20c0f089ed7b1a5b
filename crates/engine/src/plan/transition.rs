//! Plans transitions: where they start, what they ask for, where they lead, and when repeating them ends.

use actions_expr::Expression;
use actions_manifest::model::{self, SlotOrText};
use actions_manifest::{CheckedManifest, Exposed};
use actions_protocol::{ErrorCode, Millis};

use super::Planner;
use crate::failure::{CallError, Place};
use crate::limits::Limits;

/// A movement between states.
#[derive(Debug)]
pub(crate) struct TransitionPlan {
    pub(crate) name: String,
    /// The states it starts in, any of them; it starts anywhere when empty.
    pub(crate) from: Vec<String>,
    /// The states it leads to, any of them.
    pub(crate) to: Vec<String>,
    /// The tool that performs it.
    pub(crate) tool: Option<String>,
    /// The signal that reports it.
    pub(crate) signal: Option<String>,
    pub(crate) preconditions: Vec<Precondition>,
    pub(crate) rate_limit: Millis,
    pub(crate) convergence: Option<Convergence>,
    /// Where it stands in its map.
    pub(crate) place: Place,
}

/// What must be true before a transition.
#[derive(Debug)]
pub(crate) enum Precondition {
    /// An expression.
    Expression(Expression),
    /// A state that must be current.
    State(String),
    /// Words for people. The engine shows them and does not check them.
    Words(String),
}

/// When repeating a transition ends.
#[derive(Debug)]
pub(crate) struct Convergence {
    pub(crate) complete_when: Option<CompleteWhen>,
    pub(crate) max_attempts: Option<usize>,
}

/// The condition that ends a traversal.
#[derive(Debug)]
pub(crate) enum CompleteWhen {
    Expression(Expression),
    /// Words for people, which the engine cannot decide.
    Words(String),
}

impl TransitionPlan {
    /// Every transition of a composition.
    pub(crate) fn all(manifest: &CheckedManifest, limits: &Limits) -> Vec<Self> {
        let transitions = manifest.transitions();
        transitions.map(|one| Self::plan(&Planner { manifest, limits, part: one.part }, &one)).collect()
    }

    fn plan(planner: &Planner<'_>, exposed: &Exposed<'_, model::Transition>) -> Self {
        let transition = exposed.item;
        let states = |names: &model::Names| -> Vec<String> {
            names.0.iter().map(|name| planner.exposed_name(name.value.as_str())).collect()
        };
        let preconditions = transition.preconditions.iter().flat_map(|conditions| &conditions.0);
        let convergence = transition.convergence.as_ref().map(|convergence| Convergence {
            complete_when: convergence.complete_when.as_ref().map(|condition| match condition {
                SlotOrText::Slot(slot) => CompleteWhen::Expression(slot.expression.clone()),
                SlotOrText::Text(words) => CompleteWhen::Words(words.value.clone()),
            }),
            max_attempts: convergence
                .max_attempts
                .as_ref()
                .map(|attempts| usize::try_from(attempts.0).unwrap_or(usize::MAX)),
        });
        Self {
            name: exposed.name.to_string(),
            from: states(&transition.from),
            to: states(&transition.to),
            tool: transition.tool.as_ref().map(|tool| planner.exposed_name(&tool.value)),
            signal: transition.signal.as_ref().map(|signal| planner.exposed_name(&signal.value)),
            preconditions: preconditions.map(|condition| Precondition::plan(planner, condition)).collect(),
            rate_limit: Millis(transition.rate_limit_ms.as_ref().map_or(0, |limit| limit.0)),
            convergence,
            place: planner.place(transition.at, transition.name.at),
        }
    }

    /// The tool that a traversal repeats, if something says when repeating ends.
    pub(crate) fn repeated_tool(&self) -> Result<&str, CallError> {
        let refuse = |why: String| {
            let message = format!("the transition `{}` cannot be repeated: {why}", self.name);
            CallError::new(ErrorCode::UnsupportedExecutionMode, message).at(&self.place)
        };
        let Some(tool) = &self.tool else {
            return Err(refuse("it names no `tool`".to_owned()));
        };
        let Some(convergence) = &self.convergence else {
            return Err(refuse("it has no `convergence`, so nothing says when repeating ends".to_owned()));
        };
        match (&convergence.complete_when, convergence.max_attempts) {
            (Some(CompleteWhen::Words(words)), _) => Err(refuse(format!(
                "`complete_when` is \"{words}\", which the engine cannot decide; write an expression, such as \
                 `{{% $count(value) = 0 %}}`, over `input`, `attempt`, `values`, `value`, `states` and `url`"
            ))),
            (None, None) => {
                Err(refuse("its `convergence` has neither `complete_when` nor `max_attempts`".to_owned()))
            }
            (Some(CompleteWhen::Expression(_)), _) | (None, Some(_)) => Ok(tool),
        }
    }

    /// The states it asks for in its preconditions.
    pub(crate) fn required_states(&self) -> impl Iterator<Item = &str> {
        self.preconditions.iter().filter_map(|condition| match condition {
            Precondition::State(name) => Some(name.as_str()),
            Precondition::Expression(_) | Precondition::Words(_) => None,
        })
    }

    /// Whether one of its preconditions is an expression, which may read every state.
    pub(crate) fn reads_states(&self) -> bool {
        self.preconditions.iter().any(|condition| matches!(condition, Precondition::Expression(_)))
    }
}

impl Precondition {
    fn plan(planner: &Planner<'_>, condition: &SlotOrText) -> Self {
        match condition {
            SlotOrText::Slot(slot) => Self::Expression(slot.expression.clone()),
            SlotOrText::Text(words) => {
                let state = planner.exposed_name(words.trim());
                match planner.manifest.state(&state).is_some() {
                    true => Self::State(state),
                    false => Self::Words(words.value.clone()),
                }
            }
        }
    }

    /// As it stands in the map.
    pub(crate) fn source(&self) -> String {
        match self {
            Self::Expression(expression) => format!("{{% {} %}}", expression.source().trim()),
            Self::State(name) => name.clone(),
            Self::Words(words) => words.clone(),
        }
    }
}
