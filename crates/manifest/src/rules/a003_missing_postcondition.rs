//! A tool that changes something proves that it did.
//!
//! A click that was received is not yet an order that was placed. A `postcondition` over a projection, or a reading
//! step after the last change that fails when the change is not there, turns hope into a fact. A `settle_after` is
//! pacing: running out of time does not fail it.
//!
//! Could be better: a workflow whose last step is a click.
//!
//! Instead: let it end with a proof.
//! ```json
//! { "id": "confirmed", "primitive": "locator.wait_for", "args": { "locator": { "selector": "#order-number" } } }
//! ```

use actions_dictionary::Dictionary;

use crate::finding::Report;
use crate::model::{OnError, Step, Tool};
use crate::rule::Rule;
use crate::view::Subject;

pub(super) static RULE: Rule = Rule::advice("A003", include_str!("a003_missing_postcondition.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    let listed: Vec<&str> = subject
        .manifest
        .state_projections
        .iter()
        .flat_map(|projection| projection.postconditions.iter().map(|(tool, _)| tool.as_str()))
        .collect();
    for tool in &subject.manifest.tools {
        if tool.postcondition.is_some() || listed.contains(&tool.name.as_str()) {
            continue;
        }
        if let Some(step) = unproven(tool) {
            report
                .find(&RULE, subject.document.node(step.id.at), format!("nothing proves what `{}` changed", *step.id))
                .help("add a `postcondition`, or a reading step after it that fails when the change is not there");
        }
    }
}

/// The last step that changes something, when nothing after it proves the change.
fn unproven(tool: &Tool) -> Option<&Step> {
    let steps = &tool.workflow.as_ref()?.steps;
    let dictionary = Dictionary::builtin();
    // A step that calls another tool leaves the proof to that tool, and one without a page has nothing to look at.
    let changes = |step: &Step| {
        let primitive = dictionary.get(&step.primitive);
        primitive.is_some_and(|p| p.mutating && !p.calls_tool && !p.without_page)
    };
    let last = steps.iter().rposition(changes)?;
    let proof = |step: &Step| step.on_error.as_ref().is_none_or(|on_error| on_error.value == OnError::Stop);
    let proven = steps[last + 1..].iter().any(proof) || steps[last].retry_until.is_some();
    (!proven).then_some(&steps[last])
}
