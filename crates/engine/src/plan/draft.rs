//! Steps in the draft form, translated: each abstract type stands for one primitive.

use actions_expr::Template;
use actions_manifest::model::{DraftStep, DraftStepType, Execution, OnError};
use serde_json::{Map, Value, json};

use super::execution::Workflow;
use super::{Args, Control, Performs, Planner, Step, Target, target};
use crate::failure::CallError;

/// What a draft step type stands for: the primitive, the argument its target becomes, and the one its value becomes.
struct Meaning {
    primitive: &'static str,
    target: Option<&'static str>,
    value: Option<&'static str>,
    fixed: fn(&DraftStep) -> Map<String, Value>,
}

fn meaning(step_type: DraftStepType) -> Meaning {
    let nothing: fn(&DraftStep) -> Map<String, Value> = |_| Map::new();
    match step_type {
        DraftStepType::Inspect => Meaning {
            primitive: "locator.element_info",
            target: Some("locator"),
            value: None,
            fixed: nothing,
        },
        DraftStepType::Click => {
            Meaning { primitive: "pointer.click", target: Some("locator"), value: None, fixed: nothing }
        }
        DraftStepType::Type => Meaning {
            primitive: "text.insert",
            target: Some("target"),
            value: Some("text"),
            fixed: |_| members(json!({ "mode": "replace" })),
        },
        DraftStepType::Press => Meaning {
            primitive: "keyboard.press",
            target: None,
            value: Some("key"),
            fixed: |step| step.key.as_ref().map(|key| members(json!({ "key": key }))).unwrap_or_default(),
        },
        DraftStepType::Select => Meaning {
            primitive: "form.select_option",
            target: Some("locator"),
            value: Some("value"),
            fixed: nothing,
        },
        DraftStepType::Check => Meaning {
            primitive: "form.set_checked",
            target: Some("locator"),
            value: Some("checked"),
            fixed: |step| {
                let given = step.value.is_some() || step.value_from.is_some();
                if given { Map::new() } else { members(json!({ "checked": true })) }
            },
        },
        DraftStepType::Scroll => Meaning {
            primitive: "viewport.scroll",
            target: Some("locator"),
            value: None,
            fixed: |_| members(json!({ "into_view": true })),
        },
        DraftStepType::Wait => Meaning {
            primitive: "locator.wait_for",
            target: Some("locator"),
            value: None,
            fixed: |step| {
                let mut fixed = Map::new();
                fixed.extend(step.state.map(|state| ("state".to_owned(), json!(state.as_str()))));
                fixed.extend(step.timeout_ms.map(|timeout| ("timeout_ms".to_owned(), json!(timeout.0))));
                fixed
            },
        },
        DraftStepType::Navigate => {
            Meaning { primitive: "browser.navigate", target: None, value: Some("url"), fixed: nothing }
        }
    }
}

pub(super) fn plan(planner: &Planner<'_>, execution: &Execution) -> Result<Workflow, CallError> {
    planner.allows_steps(execution.steps.len())?;
    let steps = execution.steps.iter().map(|step| plan_step(planner, step)).collect::<Result<_, _>>()?;
    Ok(Workflow { steps, output: None, draft: true })
}

fn plan_step(planner: &Planner<'_>, step: &DraftStep) -> Result<Step, CallError> {
    let meaning = meaning(step.step_type.value);
    let mut fixed = (meaning.fixed)(step);
    if let (Some(key), Some(target)) = (meaning.target, &step.target) {
        fixed.insert(key.to_owned(), target::locator(target));
    }
    let args = match (meaning.value, &step.value_from, &step.value) {
        (Some(key), Some(path), _) => {
            Args::FromInput { fixed, key, path: path.split('.').map(str::to_owned).collect() }
        }
        (Some(key), None, Some(value)) => {
            fixed.insert(key.to_owned(), value.clone());
            Args::Template(Template::Literal(Value::Object(fixed)))
        }
        _ => Args::Template(Template::Literal(Value::Object(fixed))),
    };
    Ok(Step {
        id: step.id.value.clone(),
        performs: Performs { primitive: planner.primitive(meaning.primitive)?, args },
        when: None,
        control: Control::Once,
        settle: None,
        on_error: OnError::Stop,
        applies: step.target.as_ref().and_then(|target| Target::of_step(planner, target)),
        place: planner.place(step.at, step.id.at),
    })
}

fn members(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}
