//! Steps in the draft form, translated: each abstract type stands for one primitive.

use actions_expr::Template;
use actions_manifest::model::{
    self, DraftStep, DraftStepType, Execution, OnError, TargetReference, WaitState,
};
use actions_protocol::{ErrorCode, Millis};
use serde_json::{Map, Value, json};

use super::execution::Workflow;
use super::{Args, Control, Performs, Planner, Step, Target, target};
use crate::failure::CallError;

/// What a draft step stands for: the primitive, the argument its target becomes, and the one its value becomes.
struct Meaning {
    primitive: &'static str,
    target: Option<&'static str>,
    value: Option<&'static str>,
    fixed: fn(&DraftStep) -> Map<String, Value>,
}

/// What a step of this type stands for; none if the engine has no such thing.
fn meaning(step_type: DraftStepType) -> Option<Meaning> {
    let nothing: fn(&DraftStep) -> Map<String, Value> = |_| Map::new();
    Some(match step_type {
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
        DraftStepType::Wait => {
            Meaning { primitive: "locator.wait_for", target: Some("locator"), value: None, fixed: awaited }
        }
        DraftStepType::Navigate => {
            Meaning { primitive: "browser.navigate", target: None, value: Some("url"), fixed: nothing }
        }
        DraftStepType::Extract => Meaning {
            primitive: "locator.text_content",
            target: Some("locator"),
            value: None,
            fixed: nothing,
        },
        DraftStepType::Assert => Meaning {
            primitive: "locator.wait_for",
            target: Some("locator"),
            value: None,
            fixed: |step| {
                let mut fixed = members(json!({ "timeout_ms": ASSERTED_WITHIN.0 }));
                fixed.extend(awaited(step));
                fixed
            },
        },
        DraftStepType::Call => Meaning {
            primitive: "actions.site",
            target: None,
            value: Some("arguments"),
            fixed: |step| {
                let tool = step.tool.as_ref().map(|tool| tool.value.clone());
                members(
                    json!({ "mode": "call", "action": tool, "arguments": step.arguments.clone().unwrap_or_default() }),
                )
            },
        },
        DraftStepType::Emit => return None,
    })
}

/// How long an `assert` step gives the page, unless it says so itself.
const ASSERTED_WITHIN: Millis = Millis(2_000);

/// The state and the time of a step that waits.
fn awaited(step: &DraftStep) -> Map<String, Value> {
    let mut fixed = Map::new();
    fixed.extend(step.state.map(|state| ("state".to_owned(), json!(state.as_str()))));
    fixed.extend(step.timeout_ms.map(|timeout| ("timeout_ms".to_owned(), json!(timeout.0))));
    fixed
}

pub(super) fn plan(planner: &Planner<'_>, execution: &Execution) -> Result<Workflow, CallError> {
    planner.allows_steps(execution.steps.len())?;
    let steps = execution.steps.iter().map(|step| plan_step(planner, step)).collect::<Result<_, _>>()?;
    Ok(Workflow { steps, output: None, draft: true })
}

fn plan_step(planner: &Planner<'_>, step: &DraftStep) -> Result<Step, CallError> {
    let place = planner.place(step.at, step.id.at);
    let refuse = |why: String| {
        let message = format!("the step `{}` {why}", *step.id);
        CallError::new(ErrorCode::UnsupportedExecutionMode, message).at(&place)
    };
    let Some(meaning) = meaning(step.step_type.value) else {
        return Err(refuse("emits an event, and this engine has no events that a tool can send".to_owned()));
    };
    if step.condition.is_some() {
        return Err(refuse("asserts an expression; only a `workflow` can evaluate one".to_owned()));
    }
    let awaited = Awaited::of(planner, step).map_err(refuse)?;
    let mut fixed = (meaning.fixed)(step);
    fixed.extend(awaited.state.map(|state| ("state".to_owned(), json!(state.as_str()))));
    let locator = awaited.target.map(target::locator).filter(|keys| *keys != json!({}));
    let (primitive, args) = match (step.step_type.value, &step.fields, locator) {
        (DraftStepType::Extract, Some(fields), locator) => {
            let selector = locator.as_ref().and_then(|locator| locator.get("selector"));
            let Some(selector) = selector else {
                return Err(refuse(
                    "extracts fields, and its target has no `selector` to find them by".to_owned(),
                ));
            };
            let item = json!({ "id": *step.id, "selector": selector, "fields": fields });
            ("dom.extract", Args::Template(Template::Literal(json!({ "extract": [item] }))))
        }
        // What the page must be like is checked before the step, and that is all there is to do.
        (DraftStepType::Wait | DraftStepType::Assert, _, None) => {
            ("page.info", Args::Template(Template::Literal(json!({}))))
        }
        (_, _, locator) => {
            if let (Some(key), Some(locator)) = (meaning.target, locator) {
                fixed.insert(key.to_owned(), locator);
            }
            (meaning.primitive, args(step, &meaning, fixed))
        }
    };
    Ok(Step {
        id: step.id.value.clone(),
        performs: Performs { primitive: planner.primitive(primitive)?, args },
        when: None,
        control: Control::Once,
        settle: None,
        on_error: OnError::Stop,
        applies: awaited.applies,
        place,
    })
}

fn args(step: &DraftStep, meaning: &Meaning, mut fixed: Map<String, Value>) -> Args {
    match (meaning.value, &step.value_from, &step.value) {
        (Some(key), Some(path), _) => {
            Args::FromInput { fixed, key, path: path.split('.').map(str::to_owned).collect() }
        }
        (Some(key), None, Some(value)) => {
            fixed.insert(key.to_owned(), value.clone());
            Args::Template(Template::Literal(Value::Object(fixed)))
        }
        _ => Args::Template(Template::Literal(Value::Object(fixed))),
    }
}

/// What a step acts on or waits for.
struct Awaited<'s> {
    /// The element.
    target: Option<&'s model::Target>,
    /// What it waits for, if `until` is one of those words.
    state: Option<WaitState>,
    /// What the page must be like.
    applies: Option<Target>,
}

impl<'s> Awaited<'s> {
    /// Reads `until`, else `target`. The error says what cannot be waited for.
    fn of(planner: &Planner<'_>, step: &'s DraftStep) -> Result<Self, String> {
        let own = step.target.as_ref();
        let applies = |target: &model::Target| Target::of_step(planner, target);
        let of_target = |state| Self { target: own, state, applies: own.and_then(applies) };
        match &step.until {
            None => Ok(of_target(None)),
            Some(TargetReference::Inline(target)) => {
                Ok(Self { target: Some(target), state: None, applies: applies(target) })
            }
            Some(TargetReference::Named(word)) => match WaitState::parse(word) {
                Some(state) if own.is_some() => Ok(of_target(Some(state))),
                _ => {
                    let name = planner.exposed_name(word);
                    match planner.manifest.states().any(|state| state.name.as_str() == name) {
                        true => {
                            let place = planner.place(step.at, word.at);
                            let applies =
                                Target { locator: None, address: Vec::new(), state: Some(name), place };
                            Ok(Self { target: own, state: None, applies: Some(applies) })
                        }
                        false => Err(format!("waits until `{}`, which is no state of the map", **word)),
                    }
                }
            },
        }
    }
}

fn members(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}
