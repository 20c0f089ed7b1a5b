//! A step in the draft form says what its type needs.
//!
//! `click`, `inspect`, `scroll`, `extract`, `select` and `check` need a `target`, `wait` a `target` or `until`, `assert` a
//! `target` or a `condition`; `type` and `select` need `value_from` or `value`; `press` needs a `key`; `navigate` needs
//! `value_from` or `value`; `call` needs a `tool`. `value_from` names a property of the tool's input.
//!
//! Breaks the rule:
//! ```json
//! { "id": "submit", "type": "click" }
//! ```
//!
//! Instead:
//! ```json
//! { "id": "submit", "type": "click", "target": { "selector": "button[type='submit']" } }
//! ```

use crate::finding::Report;
use crate::lower::closest;
use crate::model::{DraftStep, DraftStepType, Tool};
use crate::rule::Rule;
use crate::view::Subject;

pub(super) static RULE: Rule = Rule::error("T011", include_str!("t011_draft_step_incomplete.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for tool in &subject.manifest.tools {
        let execution = tool.x_actions.as_ref().and_then(|x| x.execution.as_ref());
        for step in execution.into_iter().flat_map(|execution| &execution.steps) {
            let node = subject.document.node(step.at);
            for need in needs(step.step_type.value) {
                if !need.keys.iter().any(|key| node.get(key).is_some()) {
                    let message = format!(
                        "the `{}` step `{}` has no {}",
                        step.step_type.as_str(),
                        *step.id,
                        need.words
                    );
                    report.find(&RULE, node, message).help(format!("add `\"{}\"`", need.keys[0]));
                }
            }
            unknown_input(subject, tool, step, report);
        }
    }
}

struct Need {
    keys: &'static [&'static str],
    words: &'static str,
}

const TARGET: Need = Need { keys: &["target"], words: "`target`" };
const VALUE: Need = Need { keys: &["value_from", "value"], words: "`value_from` or `value`" };
const AWAITED: Need = Need { keys: &["target", "until"], words: "`target` or `until`" };
const ASSERTED: Need = Need { keys: &["target", "condition"], words: "`target` or `condition`" };
const TOOL: Need = Need { keys: &["tool"], words: "`tool`" };
const KEY: Need = Need { keys: &["key", "value_from", "value"], words: "`key`" };

fn needs(step_type: DraftStepType) -> &'static [Need] {
    match step_type {
        DraftStepType::Inspect
        | DraftStepType::Click
        | DraftStepType::Scroll
        | DraftStepType::Extract
        | DraftStepType::Check => &[TARGET],
        DraftStepType::Wait => &[AWAITED],
        DraftStepType::Assert => &[ASSERTED],
        DraftStepType::Call => &[TOOL],
        DraftStepType::Emit => &[],
        DraftStepType::Type | DraftStepType::Select => &[TARGET, VALUE],
        DraftStepType::Press => &[KEY],
        DraftStepType::Navigate => &[VALUE],
    }
}

fn unknown_input(subject: &Subject<'_>, tool: &Tool, step: &DraftStep, report: &mut Report) {
    let Some(name) = &step.value_from else { return };
    let properties = subject.document.node(tool.input_schema.at).get("properties");
    let declared: Vec<&str> =
        properties.into_iter().flat_map(|properties| properties.members()).map(|(name, _)| name).collect();
    let first = name.split('.').next().unwrap_or_default();
    if !declared.contains(&first) {
        let help = closest(first, &declared).map(|near| format!("did you mean `{near}`?"));
        report
            .find(
                &RULE,
                subject.document.node(name.at),
                format!("the input of `{}` has no property `{first}`", *tool.name),
            )
            .maybe_help(help);
    }
}
