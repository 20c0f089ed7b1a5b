//! Plans one step of a workflow.

use actions_dictionary::Primitive;
use actions_expr::{Expression, Template};
use actions_manifest::model::{self, OnError, WaitState};
use actions_protocol::{Millis, StepId};
use serde_json::{Map, Value};

use super::{Planner, Target};
use crate::failure::{CallError, FailedStep, Place};

/// One step, ready to run.
#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) id: StepId,
    pub(crate) performs: Performs,
    pub(crate) when: Option<Expression>,
    pub(crate) control: Control,
    pub(crate) settle: Option<Settle>,
    pub(crate) on_error: OnError,
    /// Where it applies, beyond where its tool does: what the target of a draft step says of the page.
    pub(crate) applies: Option<Target>,
    pub(crate) place: Place,
}

/// A primitive with its arguments.
#[derive(Debug)]
pub(crate) struct Performs {
    pub(crate) primitive: &'static Primitive,
    pub(crate) args: Args,
}

/// Arguments that are computed when the primitive runs.
#[derive(Debug)]
pub(crate) enum Args {
    /// A tree with slots.
    Template(Template),
    /// Fixed arguments, one of which is taken from the input: the draft form's `value_from`.
    FromInput { fixed: Map<String, Value>, key: &'static str, path: Vec<String> },
}

/// How often a step runs.
#[derive(Debug)]
pub(crate) enum Control {
    Once,
    ForEach { collection: Expression, max_items: usize },
    RetryUntil { condition: Expression, max_attempts: usize, after_each: Option<AfterEach> },
}

/// What runs between two attempts.
pub(crate) type AfterEach = Performs;

/// What a step waits for after it succeeded.
#[derive(Debug)]
pub(crate) enum Settle {
    Locator { locator: Template, state: WaitState, timeout: Millis },
    Delay(Millis),
}

impl Step {
    pub(super) fn plan(planner: &Planner<'_>, step: &model::Step) -> Result<Self, CallError> {
        let limits = planner.limits;
        let control = if let Some(collection) = &step.for_each {
            let asked = step.max_items.as_ref().map_or(limits.max_items, |max| max.value.0 as usize);
            Control::ForEach {
                collection: collection.expression.clone(),
                max_items: asked.min(limits.max_items),
            }
        } else if let Some(condition) = &step.retry_until {
            let asked = step.max_attempts.as_ref().map_or(limits.max_attempts, |max| max.value.0 as usize);
            let after_each = step
                .after_each
                .as_ref()
                .map(|after| performs(planner, &after.primitive, after.args.as_ref()));
            Control::RetryUntil {
                condition: condition.expression.clone(),
                max_attempts: asked.min(limits.max_attempts),
                after_each: after_each.transpose()?,
            }
        } else {
            Control::Once
        };
        Ok(Self {
            id: step.id.value.clone(),
            performs: performs(planner, &step.primitive, step.args.as_ref())?,
            when: step.when.as_ref().map(|when| when.expression.clone()),
            control,
            settle: step.settle_after.as_ref().map(Settle::plan),
            on_error: step.on_error.as_ref().map_or(OnError::Stop, |on_error| on_error.value),
            applies: None,
            place: planner.place(step.at, step.id.at),
        })
    }

    pub(crate) fn is_mutating(&self) -> bool {
        self.performs.primitive.may_change(|argument| match &self.performs.args {
            Args::Template(Template::Literal(args)) => args.get(argument).cloned(),
            Args::Template(Template::Object(members)) => {
                members.iter().find(|(key, _)| key == argument).map(|(_, value)| match value {
                    Template::Literal(value) => value.clone(),
                    // It may turn out to be anything.
                    _ => Value::Null,
                })
            }
            Args::Template(_) => Some(Value::Null),
            Args::FromInput { fixed, key, .. } => match *key == argument {
                true => Some(Value::Null),
                false => fixed.get(argument).cloned(),
            },
        })
    }

    /// Every primitive the step may perform.
    pub(crate) fn primitives(&self) -> impl Iterator<Item = &'static Primitive> {
        let between = match &self.control {
            Control::RetryUntil { after_each, .. } => after_each.as_ref(),
            Control::Once | Control::ForEach { .. } => None,
        };
        std::iter::once(&self.performs).chain(between).map(|performs| performs.primitive)
    }

    /// The step as errors name it.
    pub(crate) fn as_failed(&self) -> FailedStep {
        FailedStep {
            id: self.id.clone(),
            primitive: self.performs.primitive.name.clone(),
            place: self.place.clone(),
        }
    }
}

fn performs(
    planner: &Planner<'_>,
    primitive: &str,
    args: Option<&model::SlottedObject>,
) -> Result<Performs, CallError> {
    let template =
        args.map_or_else(|| Template::Literal(Value::Object(Map::new())), |args| args.0.template.clone());
    Ok(Performs { primitive: planner.primitive(primitive)?, args: Args::Template(template) })
}

impl Settle {
    fn plan(settle: &model::Settle) -> Self {
        match settle {
            model::Settle::Locator { locator, state, timeout } => Self::Locator {
                locator: locator.0.template.clone(),
                state: *state,
                timeout: Millis(timeout.0),
            },
            model::Settle::Delay(delay) => Self::Delay(Millis(delay.0)),
        }
    }
}
