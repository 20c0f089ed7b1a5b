//! Workflows and their steps.

use actions_protocol::StepId;
use serde_json::{Value, json};

use super::slot::{Slot, Slotted, SlottedObject};
use crate::document::Node;
use crate::finding::Report;
use crate::lower::{
    AttemptLimit, Definitions, DelayMillis, Fields, ItemLimit, Located, Lower, Policy, WaitMillis, object,
    words,
};
use crate::reading::{w001_workflow_version, w002_expression_language, w009_settle_one_wait};

object! {
    /// The steps that perform a tool, in order, with data bound by expressions.
    Workflow "workflow" Closed {
        /// The version of the workflow form; always 1.
        required version: WorkflowVersion => w001_workflow_version::RULE,
        /// The language of the slots; always `jsonata`.
        required expression_language: ExpressionLanguage => w002_expression_language::RULE,
        /// The steps, in the order they run.
        required_list steps: Step,
        /// The result of the tool; the step results when absent.
        optional output: Slotted,
        /// Free notes on the states the workflow goes through.
        optional x_state_machine: Value,
    }
}

object! {
    /// One call of a primitive, with its conditions, loops and waits.
    Step "step" Closed {
        /// The id other steps refer to it by, as `steps.<id>`.
        required id: Located<StepId>,
        /// The name of the primitive.
        required primitive: Located<String>,
        /// The arguments of the primitive.
        optional args: SlottedObject,
        /// The step is skipped when this is false.
        optional when: Slot,
        /// The step runs once for each item of this collection.
        optional for_each: Slot,
        /// How many items at most.
        optional max_items: Located<ItemLimit>,
        /// The step is repeated until this is true.
        optional retry_until: Slot,
        /// How many attempts at most.
        optional max_attempts: Located<AttemptLimit>,
        /// A primitive that runs between attempts.
        optional after_each: AfterEach,
        /// What to wait for after a success before going on.
        optional settle_after: Settle,
        /// Whether a failure ends the workflow.
        optional on_error: Located<OnError>,
    }
    and {
        "dependentRequired": {
            "for_each": ["max_items"],
            "max_items": ["for_each"],
            "retry_until": ["max_attempts"],
            "max_attempts": ["retry_until"],
            "after_each": ["retry_until"]
        },
        "not": { "required": ["for_each", "retry_until"] },
    }
}

object! {
    /// A primitive that runs between two attempts of a retried step.
    AfterEach "after_each" Closed {
        /// The name of the primitive; one that observes or is idempotent.
        required primitive: Located<String>,
        /// The arguments of the primitive.
        optional args: SlottedObject,
    }
}

words! {
    /// What a failing step does to its workflow.
    OnError {
        /// The workflow ends.
        Stop = "stop",
        /// The workflow goes on.
        Continue = "continue",
    }
}

words! {
    /// What an element is waited to be.
    WaitState {
        /// Rendered, with a box.
        Visible = "visible",
        /// In the document.
        Attached = "attached",
        /// Absent or not rendered.
        Hidden = "hidden",
        /// Not in the document.
        Detached = "detached",
    }
}

/// What a step waits for after it succeeded.
#[derive(Clone, Debug)]
pub enum Settle {
    /// An element in a state, for a bounded time.
    Locator {
        /// The element.
        locator: SlottedObject,
        /// The state it is waited to be in.
        state: WaitState,
        /// How long.
        timeout: WaitMillis,
    },
    /// A fixed pause.
    Delay(DelayMillis),
}

impl Settle {
    /// How long a locator is waited for when the map does not say.
    pub const DEFAULT_TIMEOUT: WaitMillis = WaitMillis(8000);

    const KEYS: &[&str] = &["locator", "state", "timeout_ms", "delay_ms"];
}

impl Lower for Settle {
    fn lower(node: Node<'_>, report: &mut Report) -> Option<Self> {
        let fields = Fields::open(node, Policy::Closed, Self::KEYS, report)?;
        let locator = fields.optional::<SlottedObject>("locator", report);
        let state = fields.optional::<WaitState>("state", report);
        let timeout = fields.optional::<WaitMillis>("timeout_ms", report);
        let delay = fields.optional::<DelayMillis>("delay_ms", report);
        match (node.get("locator"), node.get("delay_ms")) {
            (Some(_), Some(_)) => {
                report
                    .find(
                        &w009_settle_one_wait::RULE,
                        node,
                        "`settle_after` has both `locator` and `delay_ms`",
                    )
                    .help("keep one");
                None
            }
            (None, None) => {
                report
                    .find(
                        &w009_settle_one_wait::RULE,
                        node,
                        "`settle_after` has neither `locator` nor `delay_ms`",
                    )
                    .help("add one of the two");
                None
            }
            (Some(_), None) => Some(Settle::Locator {
                locator: locator?,
                state: state.unwrap_or(WaitState::Visible),
                timeout: timeout.unwrap_or(Self::DEFAULT_TIMEOUT),
            }),
            (None, Some(delay_node)) => {
                for key in ["state", "timeout_ms"].iter().filter_map(|key| node.get(key)) {
                    let name = key.key().unwrap_or_default();
                    report
                        .find(
                            &w009_settle_one_wait::RULE,
                            key,
                            format!("`{name}` belongs to `locator`, not to `delay_ms`"),
                        )
                        .help(format!("remove `{name}`"))
                        .related(delay_node, "the pause");
                }
                delay.map(Settle::Delay)
            }
        }
    }

    fn schema(definitions: &mut Definitions) -> Value {
        definitions.named("settle_after", |definitions| {
            json!({
                "description": "What to wait for after the step succeeded: an element in a state, or a pause. Running out of time is reported, not an error.",
                "oneOf": [
                    {
                        "type": "object",
                        "required": ["locator"],
                        "properties": {
                            "locator": SlottedObject::schema(definitions),
                            "state": WaitState::schema(definitions),
                            "timeout_ms": WaitMillis::schema(definitions),
                        },
                        "additionalProperties": false,
                    },
                    {
                        "type": "object",
                        "required": ["delay_ms"],
                        "properties": { "delay_ms": DelayMillis::schema(definitions) },
                        "additionalProperties": false,
                    },
                ],
            })
        })
    }
}

/// The version of the workflow form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkflowVersion;

impl Lower for WorkflowVersion {
    fn lower(node: Node<'_>, report: &mut Report) -> Option<Self> {
        if node.as_number().and_then(|number| number.as_f64()) == Some(1.0) {
            return Some(Self);
        }
        report
            .find(&w001_workflow_version::RULE, node, "the workflow's `version` is not 1")
            .help("write `\"version\": 1`");
        None
    }

    fn schema(_: &mut Definitions) -> Value {
        json!({ "const": 1 })
    }
}

/// The language of the slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExpressionLanguage;

impl Lower for ExpressionLanguage {
    fn lower(node: Node<'_>, report: &mut Report) -> Option<Self> {
        if node.as_str() == Some("jsonata") {
            return Some(Self);
        }
        let key = node.key().unwrap_or("expression_language");
        report
            .find(&w002_expression_language::RULE, node, format!("`{key}` is not \"jsonata\""))
            .help(format!("write `\"{key}\": \"jsonata\"`"));
        None
    }

    fn schema(_: &mut Definitions) -> Value {
        json!({ "const": "jsonata" })
    }
}
