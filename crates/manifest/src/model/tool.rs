//! Tools: their arguments, results, and how they are executed.

use actions_protocol::SafeName;
use serde_json::{Map, Value};

use super::schema::JsonSchema;
use super::slot::Code;
use super::target::{SourceHints, Target, TargetReference};
use super::workflow::{ExpressionLanguage, WaitState, Workflow};
use crate::lower::{CallCount, Located, PeriodMillis, Prose, WaitMillis, object, words};

object! {
    /// An action an agent may call.
    Tool "tool" Strict {
        /// The name it is called by.
        required name: Located<SafeName>,
        /// What it does, for agents and reviewers.
        required description: Located<Prose>,
        /// JSON Schema of the arguments.
        required input_schema: JsonSchema,
        /// JSON Schema of the result; the one in `x_actions` has the same meaning.
        optional result_schema: JsonSchema,
        /// Where in the page it applies; resolved before the first step.
        optional target: Target,
        /// Capabilities or primitives it cannot do without.
        list requires: Located<String>,
        /// The steps that perform it.
        optional workflow: Workflow,
        /// What must be true of a projection after it ran.
        optional postcondition: Postcondition,
        /// How a browser runtime performs it.
        optional x_actions: XActions,
    }
}

object! {
    /// How a browser runtime performs a tool.
    XActions "x_actions" Strict {
        /// Who calls whom.
        optional direction: Direction,
        /// A primitive, or a dotted function that is already on the page.
        optional handler: Located<SafeName>,
        /// Whether it belongs to the page in front or to the session.
        optional scope: ToolScope,
        /// Where to look for the truth behind it.
        optional source: SourceHints,
        /// Steps in the draft form.
        optional execution: Execution,
        /// JSON Schema of the result.
        optional result_schema: JsonSchema,
        /// A fixed answer; nothing is performed.
        optional static_output: Located<Value>,
        /// Fixed arguments for the handler.
        optional binding: Binding,
        /// Files the tool refers to.
        list files: DeclaredFile,
        /// What it does to the site.
        optional effect: Located<String>,
        /// What a call needs of a person before it runs.
        optional confirm: Located<ConfirmDemand>,
        /// Why a person is asked.
        list confirm_reasons: String,
        /// How often it may be called in a session.
        list limits: CallLimit,
        /// The tools that must have succeeded in the session before.
        list depends_on: Located<String>,
        /// What the site said of it when the map was made.
        optional availability: Availability,
        /// What happens to a result that does not fit `result_schema`.
        optional on_misfit: OnMisfit,
        /// The permissions of the site's policy for agents that it needs, such as `action.checkout`.
        list policy: Located<String>,
        /// What happens to a dialog the page opens meanwhile.
        optional on_dialog: OnDialog,
        /// The class of capabilities it needs.
        optional capability_class: String,
        /// Whether it needs nothing but a page.
        optional portable: bool,
        /// An extraction in the form of older runtimes.
        optional state_machine: Value,
        /// A navigation in the form of older runtimes.
        optional navigation: Value,
    }
}

words! {
    /// Who calls whom.
    Direction {
        /// The agent calls the page.
        AgentToHtml = "agent_to_html",
        /// The page sends to the agent.
        HtmlToAgent = "html_to_agent",
        /// Both.
        Bidirectional = "bidirectional",
    }
}

words! {
    /// What a call of a tool needs of a person before it runs.
    ConfirmDemand {
        /// Nothing.
        Never = "never",
        /// A yes, which can be given for all tools in advance.
        Recommended = "recommended",
        /// A yes to this very tool.
        Mandatory = "mandatory",
    }
}

words! {
    /// What a limit counts.
    LimitScope {
        /// The calls of the tool.
        Action = "action",
        /// The calls of every tool of the map with a limit of this scope.
        Site = "site",
    }
}

words! {
    /// What a site said of an action when its map was made.
    Availability {
        /// It works.
        Available = "available",
        /// It does not work well: calls are refused unless the caller accepts that.
        Degraded = "degraded",
        /// The site does not work: calls are refused.
        Unavailable = "unavailable",
    }
}

words! {
    /// What happens to a result that does not fit its schema.
    OnMisfit {
        /// The call fails with `invalid_result`.
        Fail = "fail",
        /// An event says so, and the call succeeds.
        Warn = "warn",
    }
}

object! {
    /// How often a tool may be called in a session.
    CallLimit "call_limit" Strict {
        /// What is counted.
        required scope: LimitScope,
        /// How many calls.
        required count: CallCount,
        /// Within how many milliseconds.
        required per_ms: PeriodMillis,
    }
}

words! {
    /// What a tool belongs to.
    ToolScope {
        /// The page in front.
        ActiveSurface = "active_surface",
        /// The whole session.
        Persistent = "persistent",
    }
}

words! {
    /// What happens to a dialog the page opens while a tool runs.
    OnDialog {
        /// It is accepted.
        Accept = "accept",
        /// It is dismissed.
        Dismiss = "dismiss",
        /// It stays open and the call fails with `dialog_open`.
        Report = "report",
    }
}

object! {
    /// Fixed arguments for a handler.
    Binding "binding" Strict {
        /// A part of the address of the pages it applies to.
        optional target_url_contains: String,
        /// Arguments under those of the caller.
        optional arguments: Map<String, Value>,
    }
}

object! {
    /// A file that belongs to a map.
    DeclaredFile "declared_file" Strict {
        /// The id it is read by.
        optional id: Located<SafeName>,
        /// Its path, relative to the map.
        required path: Located<String>,
        /// What sort of file it is.
        optional kind: String,
        /// A short label.
        optional title: String,
        /// What is in it.
        optional description: String,
        /// When an agent should read it.
        optional read_when: Value,
    }
}

object! {
    /// Steps in the draft form: abstract step types instead of primitives.
    Execution "execution" Strict {
        /// Which of steps and handler comes first.
        optional mode: Located<ExecutionMode>,
        /// The steps, in order.
        list steps: DraftStep,
        /// A recorded trace for reviewers.
        optional trace: Value,
    }
}

words! {
    /// Which of steps and handler comes first.
    ExecutionMode {
        /// The steps; the handler when there are none.
        StepsFirst = "steps_first",
        /// The steps alone.
        StepsOnly = "steps_only",
        /// The handler; the steps when there is none.
        HandlerFirst = "handler_first",
        /// The handler alone.
        HandlerOnly = "handler_only",
    }
}

object! {
    /// One step in the draft form.
    DraftStep "draft_step" Strict {
        /// Its id.
        required id: Located<actions_protocol::StepId>,
        /// What it does.
        required step_type as "type": Located<DraftStepType>,
        /// The element it is done to.
        optional target: Target,
        /// The input property whose value is used.
        optional value_from: Located<String>,
        /// The value itself.
        optional value: Value,
        /// The key of a `press` step.
        optional key: String,
        /// What a `wait` step waits for: an element, a state of the map, or a condition of its own target.
        optional until: TargetReference,
        /// The state of the element that a `wait` or `assert` step asks for.
        optional state: WaitState,
        /// The fields that an `extract` step reads of each element.
        optional fields: Map<String, Value>,
        /// The tool that a `call` step calls.
        optional tool: Located<String>,
        /// The arguments of that tool.
        optional arguments: Map<String, Value>,
        /// The expression of an `assert` step.
        optional condition: Value,
        /// The event of an `emit` step.
        optional event: String,
        /// What comes with that event.
        optional payload: Value,
        /// How long a `wait` or `assert` step waits.
        optional timeout_ms: WaitMillis,
        /// What it is for.
        optional description: String,
    }
}

words! {
    /// What a step in the draft form does.
    DraftStepType {
        /// Looks at an element.
        Inspect = "inspect",
        /// Clicks an element.
        Click = "click",
        /// Replaces the text of a field.
        Type = "type",
        /// Presses a key.
        Press = "press",
        /// Chooses an option.
        Select = "select",
        /// Ticks or clears a box.
        Check = "check",
        /// Scrolls an element into view.
        Scroll = "scroll",
        /// Waits for an element.
        Wait = "wait",
        /// Goes to an address.
        Navigate = "navigate",
        /// Reads text or fields of elements.
        Extract = "extract",
        /// Fails unless an element is as it should be.
        Assert = "assert",
        /// Calls another tool of the map.
        Call = "call",
        /// Sends an event to its listeners.
        Emit = "emit",
    }
}

object! {
    /// What must be true of a projection after a tool ran.
    Postcondition "postcondition" Strict {
        /// The projection that is read again; in a projection's own list, that projection when absent.
        optional projection: Located<String>,
        /// The condition over `state` and `input`.
        optional verify: Verify,
        /// The language of `expression`.
        optional language: ExpressionLanguage,
        /// The condition over `state` and `input`, without the `verify` object around it.
        optional expression: Code,
        /// How long it may take to come true.
        optional timeout_ms: WaitMillis,
        /// The message when it does not hold.
        optional failure_message: String,
    }
}

impl Postcondition {
    /// The condition, in whichever form it was written.
    pub fn condition(&self) -> Option<&super::Slot> {
        self.verify
            .as_ref()
            .map(|verify| &verify.expression.0)
            .or(self.expression.as_ref().map(|code| &code.0))
    }
}

object! {
    /// A condition with its language.
    Verify "verify" Strict {
        /// Always `jsonata`.
        required language: ExpressionLanguage,
        /// The condition.
        required expression: Code,
    }
}
