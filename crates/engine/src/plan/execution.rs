//! Plans how a tool runs: a fixed answer, a workflow, draft steps or a handler.

use actions_dictionary::{Dictionary, Primitive};
use actions_expr::Template;
use actions_manifest::model::{self, ExecutionMode};
use actions_protocol::{ErrorCode, SafeName};
use serde_json::{Map, Value};

use super::{Planner, Settle, Step, draft};
use crate::failure::CallError;

/// How a tool is performed.
#[derive(Debug)]
pub(crate) enum Execution {
    /// A fixed answer.
    Static(Value),
    /// Steps.
    Workflow(Workflow),
    /// One primitive, with fixed arguments under those of the caller.
    Primitive { primitive: &'static Primitive, bound: Map<String, Value> },
    /// A function that is already on the page.
    PageFunction { path: SafeName, bound: Map<String, Value> },
}

/// Steps and what they give.
#[derive(Debug)]
pub(crate) struct Workflow {
    pub(crate) steps: Vec<Step>,
    pub(crate) output: Option<Template>,
    /// Whether the steps were written in the draft form, whose answer says `ok`.
    pub(crate) draft: bool,
}

impl Workflow {
    /// Whether a step works on a page or waits for one.
    pub(super) fn needs_page(&self) -> bool {
        let settles = self.steps.iter().any(|step| matches!(step.settle, Some(Settle::Locator { .. })));
        settles || self.steps.iter().flat_map(Step::primitives).any(|primitive| !primitive.without_page)
    }
}

impl Execution {
    /// Takes, in this order: a fixed answer, a workflow, steps in the draft form, a handler.
    pub(super) fn plan(planner: &Planner<'_>, tool: &model::Tool) -> Result<Self, CallError> {
        let x_actions = tool.x_actions.as_ref();
        if let Some(output) = x_actions.and_then(|x| x.static_output.as_ref()) {
            return Ok(Self::Static(output.value.clone()));
        }
        if let Some(workflow) = &tool.workflow {
            return Self::workflow(planner, workflow);
        }
        let execution =
            x_actions.and_then(|x| x.execution.as_ref()).filter(|execution| !execution.steps.is_empty());
        let handler = x_actions.and_then(|x| x.handler.as_ref());
        let mode = execution.and_then(|execution| execution.mode.as_ref()).map(|mode| mode.value);
        let handler_first = matches!(mode, Some(ExecutionMode::HandlerFirst | ExecutionMode::HandlerOnly));
        match (execution, handler) {
            (Some(execution), _) if !handler_first => draft::plan(planner, execution).map(Self::Workflow),
            (_, Some(handler)) => Ok(Self::handler(x_actions, handler)),
            (Some(execution), None) if mode == Some(ExecutionMode::HandlerFirst) => {
                draft::plan(planner, execution).map(Self::Workflow)
            }
            (Some(_), None) | (None, None) => Err(CallError::new(
                ErrorCode::UnsupportedExecutionMode,
                format!("nothing of what `{}` declares can be performed", *tool.name),
            )),
        }
    }

    fn workflow(planner: &Planner<'_>, workflow: &model::Workflow) -> Result<Self, CallError> {
        planner.allows_steps(workflow.steps.len())?;
        let steps = workflow.steps.iter().map(|step| Step::plan(planner, step)).collect::<Result<_, _>>()?;
        let output = workflow.output.as_ref().map(|output| output.template.clone());
        Ok(Self::Workflow(Workflow { steps, output, draft: false }))
    }

    fn handler(x_actions: Option<&model::XActions>, handler: &model::Located<SafeName>) -> Self {
        let bound = x_actions
            .and_then(|x| x.binding.as_ref())
            .and_then(|binding| binding.arguments.clone())
            .unwrap_or_default();
        match Dictionary::builtin().get(handler.as_str()) {
            Some(primitive) => Self::Primitive { primitive, bound },
            None => Self::PageFunction { path: handler.value.clone(), bound },
        }
    }

    pub(super) fn is_mutating(&self) -> bool {
        match self {
            Self::Static(_) => false,
            Self::Workflow(workflow) => workflow.steps.iter().any(Step::is_mutating),
            // The caller may give any argument.
            Self::Primitive { primitive, .. } => primitive.may_change(|_| Some(Value::Null)),
            // The engine cannot know what a function of the page does.
            Self::PageFunction { .. } => true,
        }
    }
}
